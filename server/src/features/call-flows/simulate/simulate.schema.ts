/** Input and result of a flow's simulation. */
import Type, { type Static } from 'typebox'
import { CallAction, maxActions } from '../../calls/model/call.schema.js'
import { nullable, patterned } from '../../../infrastructure/http/shapes.js'
import { UnsavedCallFlow, maxNodes } from '../call-flow.schema.js'

/** Entries of `keys`. */
const maxPresses = 200

const Keys = nullable(
  patterned('^[0-9*#]{0,32}$', 'up to 32 of 0-9, * and #', { description: 'Nothing is pressed: "" or null' }),
)

/** Entries of `actions`: each action costs a few queries. */
const maxAnswers = 20

/** Something for nodes of the flow, by their ids. */
function byNode<T>(value: object, maxProperties: number, description: string) {
  return Type.Unsafe<Record<string, T>>({
    type: 'object',
    maxProperties,
    additionalProperties: value,
    description,
  })
}

export const SimulateCallFlow = Type.Object({
  caller_number: Type.Optional(
    Type.String({ maxLength: 30, description: 'E.164 or `anonymous`; +12025550100 by default' }),
  ),
  called_number: Type.Optional(Type.String({ maxLength: 30, description: 'E.164; +12025550199 by default' })),
  time: Type.Optional(Type.String({ format: 'date-time', description: 'When the call is; now by default' })),
  keys: Type.Optional(
    Type.Array(Keys, {
      maxItems: maxPresses,
      description:
        'What the caller presses each time that the flow waits for keys, also when a menu repeats. Unused keys are kept for the next time',
    }),
  ),
  contact: Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      description:
        'The contact that a lookup finds; null: none. By default, lookups search the contacts of the workspace, and find none at a URL',
    }),
  ),
  outcomes: Type.Optional(
    byNode<string>(
      { type: 'string', maxLength: 64 },
      maxNodes,
      'How nodes end; by default they succeed, and decisions decide',
    ),
  ),
  actions: Type.Optional(
    byNode<CallAction[]>(
      Type.Array(CallAction, { maxItems: maxActions }),
      maxAnswers,
      'What the server of a `json_call_action` answers; no actions by default',
    ),
  ),
  seed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 0xffffffff,
      description: 'The same seed takes the same branches of a `split`; a random one by default',
    }),
  ),
})
export type SimulateCallFlow = Static<typeof SimulateCallFlow>

export const SimulateUnsaved = Type.Object({
  ...UnsavedCallFlow.properties,
  ...SimulateCallFlow.properties,
})

const Details = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What the node would do; `names` has the names of the objects to which it refers',
})

const Step = Type.Object({
  node_id: Type.String(),
  type: Type.String(),
  outcome: nullable(Type.String({ description: 'null when the call ended there' })),
  next: nullable(Type.String({ description: 'The next node; null if there is none' })),
  details: Details,
})
export type Step = Static<typeof Step>

const Ended = Type.Object({
  reason: Type.Enum(['hangup', 'end_of_path', 'too_many_steps']),
  cause: nullable(Type.String({ description: 'With which the call is hung up' })),
})
export type Ended = Static<typeof Ended>

export const SimulationShape = Type.Object(
  {
    caller_number: Type.String(),
    called_number: Type.String(),
    time: Type.String({ format: 'date-time' }),
    seed: Type.Integer(),
    path: Type.Array(Step),
    ended: Ended,
    state: Type.Object({
      digits: Type.String(),
      variables: Type.Record(Type.String(), Type.String()),
      contact: Type.Unsafe<Readonly<Record<string, unknown>> | null>({ type: ['object', 'null'] }),
      contact_name: nullable(Type.String()),
    }),
  },
  { title: 'Simulation' },
)
export type Simulation = Static<typeof SimulationShape>
