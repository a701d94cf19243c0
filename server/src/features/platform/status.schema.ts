import Type, { type Static, type TObject } from 'typebox'
import { carrierKindNames } from '../../adapters/sms/kinds/index.js'
import { Timestamp, nullable } from '../../infrastructure/http/shapes.js'

/** Nothing is counted beyond this. */
export const maxCounted = 100_000
const counted = (description: string) =>
  Type.Integer({ description: `${description}; ${maxCounted} means that or more` })
const count = (description: string) => Type.Integer({ description })
const oldest = (description: string) => nullable(Type.String({ format: 'date-time', description }))

/** Facts that one server reports about itself. */
const ServerFactsShape = Type.Object({
  host: Type.String({ description: 'Name of its machine' }),
  version: Type.String(),
  started_at: Timestamp,
  secret_keys: Type.Array(Type.String(), {
    description: 'Ids of the master keys that it knows; it seals with the first',
  }),
  operator_token_id: Type.String({ description: 'Id of the operator’s token that it takes' }),
  drives_calls: Type.Boolean({ description: 'Of several servers one drives the switch and its calls' }),
  memory_bytes: count('What its process takes'),
  load: Type.Number({ description: 'Processes of its machine that run or wait to, over the last minute' }),
  cpus: count('How many of them its machine can run at once'),
  streams: count('Live streams of events that it serves'),
  disks: Type.Array(
    Type.Object({
      purpose: Type.Enum(['state', 'media', 'recordings'], {
        description: 'What is kept there; `state`: the files of the appliance itself',
      }),
      path: Type.String(),
      free_bytes: Type.Integer(),
      total_bytes: Type.Integer(),
    }),
  ),
})
export type ServerFacts = Static<typeof ServerFactsShape>

const SwitchStatusShape = Type.Object({
  kind: Type.Enum(['freeswitch', 'sandbox'], { description: 'The sandbox’s lines are simulated' }),
  version: Type.String(),
  uptime_seconds: Type.Integer(),
  channels: count('Channels that live: one for each leg of a call'),
  max_channels: count('Channels that may live at once'),
  peak_channels: count('The most that have lived at once since it was started'),
  channels_begun: count('All that have begun since it was started'),
  keeps_journal: Type.Boolean({
    description: 'Whether its journal records how channels ended while the server was down',
  }),
})

/** All fields of an object, or null for those of a part that does not answer. */
function part<T extends TObject>(states: readonly string[], shape: T) {
  return Type.Object({
    state: Type.Unsafe<'up' | 'down'>({ enum: states }),
    facts: Type.Unsafe<Static<T> | null>({
      ...shape,
      type: ['object', 'null'],
      description: 'Null where it does not answer',
    }),
  })
}

const DatabaseFactsShape = Type.Object({
  version: Type.String(),
  latency_ms: Type.Number({ description: 'How long it took to answer' }),
  size_bytes: count('Tables and indexes'),
  connections: Type.Integer(),
  max_connections: Type.Integer(),
})
export type DatabaseFacts = Static<typeof DatabaseFactsShape>

const EdgeFactsShape = Type.Object({ version: Type.String(), uptime_seconds: Type.Integer() })

const CarrierLineShape = Type.Object({
  id: Type.String(),
  title: Type.String(),
  kind: Type.Enum([...carrierKindNames]),
  state: Type.Enum(['up', 'connecting', 'down', 'inactive']),
  since: oldest('Since when it is so'),
  last_error: nullable(Type.String({ description: 'What went wrong last, in the carrier’s words' })),
  waiting: counted('Messages that wait for it, or are on their way to it'),
})
export type CarrierLine = Static<typeof CarrierLineShape>

export const WorkShape = Type.Object(
  {
    live_calls: count('Calls that live, of all workspaces'),
    registrations: counted('Contacts of phones and softphones that the registrar holds'),
    registered_accounts: counted('Addresses that they are of'),
    messages: Type.Object({
      waiting: counted('Messages that no carrier has taken yet'),
      oldest_due_at: oldest('When the one became due that is overdue longest'),
    }),
    webhooks: Type.Object({
      waiting: counted('Deliveries that wait for an attempt'),
      oldest_due_at: oldest('When the one became due that is overdue longest'),
      switched_off: count('Webhooks that the platform has switched off because they kept failing'),
    }),
    jobs: Type.Array(
      Type.Object({
        kind: Type.String(),
        waiting: counted('Jobs of the outbox that are to be done, or are being done'),
        failing: counted('Those of them that have been tried more than once'),
        oldest_at: Timestamp,
      }),
      { description: 'By kind; kinds without a job are left out' },
    ),
    carriers: Type.Array(CarrierLineShape, { description: 'SMS carriers, the newest 100 of them' }),
  },
  { title: 'OperatorWork' },
)
export type Work = Static<typeof WorkShape>

export const OperatorStatusShape = Type.Object(
  {
    checked_at: Timestamp,
    state: Type.Enum(['ok', 'degraded'], { description: '`ok`: every part is up' }),
    version: Type.String({ description: 'Of the server that answers' }),
    servers: Type.Array(
      Type.Object({
        id: Type.String(),
        is_this: Type.Boolean({ description: 'Whether this server answered the request' }),
        ...part(['up', 'down'], ServerFactsShape).properties,
      }),
      { description: 'Those that have been heard of in the last seconds' },
    ),
    database: part(['up', 'down'], DatabaseFactsShape),
    switch: part(['up', 'down'], SwitchStatusShape),
    edge: Type.Object({
      state: Type.Enum(['up', 'down', 'absent'], { description: '`absent`: none is configured' }),
      facts: part(['up', 'down'], EdgeFactsShape).properties.facts,
    }),
    redis: Type.Object({
      state: Type.Enum(['up', 'down', 'absent'], { description: '`absent`: a single server needs none' }),
    }),
    work: Type.Unsafe<Work | null>({
      ...WorkShape,
      type: ['object', 'null'],
      description: 'What runs and waits; null while the database does not answer',
    }),
  },
  { title: 'OperatorStatus' },
)
export type OperatorStatus = Static<typeof OperatorStatusShape>
