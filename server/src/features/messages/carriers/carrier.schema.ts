import Type, { type Static } from 'typebox'
import { carrierKindNames, carrierKinds } from '../../../adapters/sms/kinds/index.js'
import { Id, Timestamp, Title, nullable } from '../../../infrastructure/http/shapes.js'

const kind = Type.Enum([...carrierKindNames])
const windowSize = {
  minimum: 1,
  maximum: 1_000,
  description: 'Submissions that may be without an answer at once',
}
const throughput = { minimum: 1, maximum: 10_000, description: 'Segments a second, at most' }

/** Settings as they are sent; each kind checks its own. */
const settings = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: `Those of the kind, and its secrets: ${secretsOfKinds()}. Secrets are stored encrypted and never shown.`,
})

/** At most this many carriers a number. */
const maxNumberCarriers = 5

export const CreateCarrier = Type.Object({
  title: Title(1, 64),
  kind,
  settings,
  is_active: Type.Boolean({ default: true }),
  window_size: Type.Integer({ ...windowSize, default: 10 }),
  throughput: Type.Integer({ ...throughput, default: 100 }),
})
export type CreateCarrier = Static<typeof CreateCarrier>

export const UpdateCarrier = Type.Object({
  title: Type.Optional(Title(1, 64)),
  settings: Type.Optional(settings),
  is_active: Type.Optional(Type.Boolean()),
  window_size: Type.Optional(Type.Integer(windowSize)),
  throughput: Type.Optional(Type.Integer(throughput)),
})
export type UpdateCarrier = Static<typeof UpdateCarrier>

const linkStatus = {
  state: Type.Enum(['up', 'connecting', 'down', 'inactive']),
  since: nullable(Timestamp),
  last_error: nullable(Type.String({ description: 'The last error, in the carrier’s words' })),
  server_id: nullable(Type.String({ description: 'The server that holds the link; null: none does' })),
}

export const LinkStatusShape = Type.Object(linkStatus, { title: 'CarrierLinkStatus' })

export const CarrierShape = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    kind,
    settings: Type.Unsafe<Readonly<Record<string, unknown>>>(
      Type.Union(carrierKinds.map(({ shown }) => shown)),
    ),
    secrets: Type.Array(Type.String(), { description: 'The names of the secrets that are stored' }),
    is_active: Type.Boolean({ description: 'An inactive carrier sends nothing and receives nothing' }),
    window_size: Type.Integer(windowSize),
    throughput: Type.Integer(throughput),
    status: LinkStatusShape,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Carrier' },
)

/** Counting stops here. */
export const maxCounted = 100_000
const counted = (description: string) =>
  Type.Integer({ description: `${description}; ${maxCounted} means that or more` })

export const CarrierStatusShape = Type.Object(
  {
    ...linkStatus,
    queued: counted('Messages that wait for it'),
    submitting: counted('Messages on their way to it'),
    awaiting_receipt: counted('Segments that it has taken, of messages that have not come to their end'),
    oldest_due_at: nullable(
      Type.String({ format: 'date-time', description: 'Since when the message waits that waits longest' }),
    ),
  },
  { title: 'CarrierStatus' },
)

export const NumberCarriersShape = Type.Object(
  {
    phone_number_id: Type.String(),
    carriers: Type.Array(
      Type.Object({ id: Type.String(), title: Type.String(), kind, is_active: Type.Boolean() }),
      { description: 'The first is tried first' },
    ),
  },
  { title: 'NumberCarriers' },
)

export const AssignCarriers = Type.Object({
  carrier_ids: Type.Array(Id(), {
    ...{ maxItems: maxNumberCarriers, uniqueItems: true },
    description: 'The first is tried first; empty: the number sends and takes no messages',
  }),
})

function secretsOfKinds(): string {
  return carrierKinds
    .map(({ kind: name, secrets }) => `${secrets.map((secret) => `\`${secret}\``).join(' and ')} of ${name}`)
    .join(', ')
}
