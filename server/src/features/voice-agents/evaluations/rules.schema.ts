/** What callers of evaluations say, and the rules by which the answers are judged. */
import Type, { type Static } from 'typebox'
import { Title, patterned, wellFormed } from '../../../infrastructure/http/shapes.js'

function Text(minLength: number, maxLength: number, description: string) {
  return Type.String({ minLength, maxLength, pattern: wellFormed, 'x-rule': 'well-formed text', description })
}

const toolName = '[a-z0-9_]{1,64}'
const toolRule = 'the name of a tool'

/** One rule: an object with one field. Of a turn it speaks of the answer to it, otherwise of the whole call. */
export const Rule = Type.Object(
  {
    says: Type.Optional(Text(1, 500, 'Is said, in whatever case and spacing')),
    says_not: Type.Optional(Text(1, 500, 'Is not said')),
    matches: Type.Optional(Text(1, 200, 'A regular expression that what is said matches, in whatever case')),
    matches_not: Type.Optional(Text(1, 200, 'A regular expression that nothing that is said matches')),
    calls_tool: Type.Optional(
      Type.Object(
        {
          name: patterned(`^${toolName}$`, toolRule),
          arguments: Type.Optional(
            Type.Record(Type.String(), Type.Unknown(), { description: 'These among its arguments' }),
          ),
        },
        { description: 'A tool is called' },
      ),
    ),
    does_not_call_tool: Type.Optional(
      patterned(`^(${toolName}|\\*)$`, `${toolRule}, or *`, {
        description: 'A tool is not called; *: no tool is called',
      }),
    ),
    ends_call: Type.Optional(Type.Boolean({ description: 'The voice agent ends the call, or does not' })),
    transfers_to: Type.Optional(Text(1, 100, 'The caller is transferred to this `to` of transfer_call')),
    max_words: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'No answer has more words' }),
    ),
    replies_within: Type.Optional(
      Type.Number({ minimum: 0.1, maximum: 60, description: 'Seconds until the first words or tool' }),
    ),
  },
  { title: 'EvaluationRule', minProperties: 1, maxProperties: 1 },
)
export type Rule = Static<typeof Rule>

const Rules = Type.Array(Rule, { maxItems: 20 })

export const Turn = Type.Object(
  { say: Text(1, 1000, 'What the caller says'), expect: Type.Optional(Rules) },
  { title: 'EvaluationTurn' },
)
export type Turn = Static<typeof Turn>

/** A caller, written down. */
export const scriptFields = {
  name: Title(1, 60),
  turns: Type.Array(Turn, { minItems: 1, maxItems: 20 }),
  expect: Type.Array(Rule, { maxItems: 20, description: 'Rules for the whole call' }),
  tool_answers: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    propertyNames: patterned(`^${toolName}$`, toolRule),
    additionalProperties: {},
    maxProperties: 20,
    description: 'Answers of tools, by name; {"status":"ok"} by default. The tools themselves are not called',
  }),
}

export const ScriptInput = Type.Object(
  {
    name: scriptFields.name,
    turns: scriptFields.turns,
    expect: Type.Optional(scriptFields.expect),
    tool_answers: Type.Optional(scriptFields.tool_answers),
  },
  { title: 'EvaluationScriptInput' },
)
export type ScriptInput = Static<typeof ScriptInput>
