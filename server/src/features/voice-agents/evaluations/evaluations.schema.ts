import Type, { type Static } from 'typebox'
import { pageQuery } from '../../../infrastructure/http/lists.js'
import { Id, Timestamp, nullable } from '../../../infrastructure/http/shapes.js'
import { Rule, ScriptInput, Turn, scriptFields } from './rules.schema.js'

const version = Type.Integer({ minimum: 1, maximum: 999_999_999 })

export const CreateScript = Type.Object({ ...ScriptInput.properties })

export const UpdateScript = Type.Object({
  name: Type.Optional(scriptFields.name),
  turns: Type.Optional(scriptFields.turns),
  expect: Type.Optional(scriptFields.expect),
  tool_answers: Type.Optional(scriptFields.tool_answers),
})
export type UpdateScript = Static<typeof UpdateScript>

export const scriptParams = Type.Object({ id: Id(), scriptId: Id() })
export const evaluationParams = Type.Object({ id: Id(), evaluationId: Id() })

export const StartEvaluation = Type.Object({
  version,
  script_ids: Type.Optional(
    Type.Array(Id(), {
      ...{ minItems: 1, maxItems: 50, uniqueItems: true },
      description: 'Stored scripts; all of the voice agent by default',
    }),
  ),
  scripts: Type.Optional(
    Type.Array(ScriptInput, {
      ...{ minItems: 1, maxItems: 50 },
      description: 'Scripts that are played without being stored',
    }),
  ),
})
export type StartEvaluation = Static<typeof StartEvaluation>

export const EvaluationQuery = Type.Object({ ...pageQuery(20).properties, version: Type.Optional(version) })

export const ScriptShape = Type.Object(
  {
    id: Type.String(),
    voice_agent_id: Type.String(),
    workspace_id: Type.String(),
    name: Type.String(),
    turns: Type.Array(Turn),
    expect: Type.Array(Rule),
    tool_answers: Type.Record(Type.String(), Type.Unknown()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'EvaluationScript' },
)

const summary = {
  id: Type.String(),
  status: Type.Enum(['running', 'completed', 'failed'], {
    description: 'failed: the scripts could not be played; see error',
  }),
  total: Type.Integer({ description: 'Scripts' }),
  passed: Type.Integer({ description: 'Scripts that have passed all of their rules so far' }),
  is_stale: Type.Boolean({ description: 'The version’s settings or tools have been changed since' }),
  created_at: Timestamp,
}

/** What is shown of a version's last evaluation. */
export const LastEvaluationShape = Type.Object(summary, { title: 'LastEvaluation' })

export const EvaluationShape = Type.Object(
  {
    ...summary,
    voice_agent_id: Type.String(),
    workspace_id: Type.String(),
    version: Type.Integer(),
    error: nullable(Type.String()),
    ended_at: nullable(Timestamp),
  },
  { title: 'Evaluation' },
)

const ExchangeShape = Type.Object(
  {
    caller: nullable(Type.String({ description: 'null: the voice agent began' })),
    voice_agent: Type.String(),
    tool_calls: Type.Array(
      Type.Object({ name: Type.String(), arguments: Type.Unknown(), answer: Type.Unknown() }),
    ),
    reply_ms: nullable(Type.Integer({ description: 'Until the first words or tool; null: there were none' })),
  },
  { title: 'EvaluationExchange' },
)

const VerdictShape = Type.Object(
  {
    turn: nullable(Type.Integer({ description: 'From 1; null: a rule of the whole call' })),
    rule: Rule,
    passed: Type.Boolean(),
    seen: nullable(Type.String({ description: 'What was seen instead' })),
  },
  { title: 'EvaluationVerdict' },
)

const ResultShape = Type.Object(
  {
    script_id: nullable(Type.String({ description: 'null: it came with the request' })),
    script_name: Type.String(),
    passed: Type.Boolean(),
    problem: nullable(Type.String({ description: 'Why it was not played to its end' })),
    verdicts: Type.Array(VerdictShape),
    transcript: Type.Array(ExchangeShape),
    duration_ms: Type.Integer(),
    usage: Type.Record(Type.String(), Type.Number(), { description: 'By the provider’s count' }),
  },
  { title: 'EvaluationResult' },
)

export const EvaluationDetailShape = Type.Object(
  { ...EvaluationShape.properties, results: Type.Array(ResultShape) },
  { title: 'EvaluationDetail' },
)
