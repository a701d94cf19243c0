import Type, { type Static } from 'typebox'
import { maxUrlLength } from '../../infrastructure/http-client/urls.js'
import { headers } from '../../infrastructure/http/header-fields.js'
import { listQuery } from '../../infrastructure/http/lists.js'
import { Timestamp, Title, nullable, patterned } from '../../infrastructure/http/shapes.js'
import { everyEvent, testEvent, webhookEventNames } from './webhook-events.js'

/** Bytes of a request or an answer that are shown, and of an answer that are kept. */
export const excerptBytes = 4_096

/** Attempts of a delivery that are kept, the latest: those of three days, and of many resendings. */
export const loggedAttempts = 50

/** Deliveries that one request sends again, at most. */
export const mostResent = 10_000

const fields = {
  title: Type.Optional(Title(0, 64)),
  url: Type.String({
    maxLength: maxUrlLength,
    pattern: '^[!-~]+$',
    'x-rule': 'a URL of printable ASCII characters',
    description: 'http or https; a user and a password in it become the header Authorization',
  }),
  headers: Type.Optional(headers(20, 'Sent with each delivery, such as Authorization; kept encrypted')),
  events: Type.Array(Type.Enum([...webhookEventNames, everyEvent]), {
    minItems: 1,
    maxItems: webhookEventNames.length,
    uniqueItems: true,
    description: 'Names of events, or * alone for all',
  }),
  is_active: Type.Optional(Type.Boolean({ description: 'Nothing is sent while it is false' })),
}

/** As Standard Webhooks write it: the key has 24 to 64 bytes. */
const secret = patterned('^whsec_[A-Za-z0-9+/_-]{32,86}={0,2}$', 'whsec_ and 24 to 64 bytes in base64', {
  description: 'Signs what is sent; made by the platform without one',
})

export const CreateWebhook = Type.Object({ ...fields, secret: Type.Optional(secret) })
export type CreateWebhook = Static<typeof CreateWebhook>
export const UpdateWebhook = Type.Partial(Type.Object(fields))
export type UpdateWebhook = Static<typeof UpdateWebhook>

/** How long a replaced secret still signs beside the new one, in seconds: a day by default. */
const overlap = { default: 86_400, maximum: 2_592_000 } as const

export const RotateSecret = Type.Object({
  secret: Type.Optional(secret),
  previous_valid_for: Type.Integer({
    ...{ minimum: 0, ...overlap },
    description: 'Seconds for which the secret that is replaced signs too; 0: no longer',
  }),
})
export type RotateSecret = Static<typeof RotateSecret>

const status = Type.Enum(['pending', 'delivered', 'failed'])

const lastDelivery = Type.Object({
  id: Type.String(),
  event: Type.String(),
  status,
  created_at: Timestamp,
})

export const WebhookShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Sent with each delivery; masked for readers',
    }),
    events: Type.Array(Type.String()),
    is_active: Type.Boolean(),
    disabled_reason: nullable(Type.String({ description: 'Why the platform switched it off' })),
    failing_since: nullable(Timestamp),
    previous_secret_until: nullable({
      ...Timestamp,
      description: 'Until then the secret before this one signs too',
    }),
    last_delivery: nullable(lastDelivery),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Webhook' },
)

export const NewWebhookShape = Type.Object(
  { ...WebhookShape.properties, secret: Type.String({ description: 'Signs what is sent; shown only here' }) },
  { title: 'NewWebhook' },
)

export const deliveryQuery = Type.Object({
  ...listQuery({ limit: 20, sort: ['created_at'] }).properties,
  status: Type.Optional(status),
  event: Type.Optional(Type.Enum([...webhookEventNames, testEvent])),
})
export type DeliveryQuery = Static<typeof deliveryQuery>

export const DeliveryShape = Type.Object(
  {
    id: Type.String(),
    webhook_id: Type.String(),
    event_id: Type.String(),
    event: Type.String(),
    status,
    attempts: Type.Integer(),
    response_status: nullable(Type.Integer({ description: 'Of the last attempt' })),
    error: nullable(Type.String({ description: 'Why the last attempt has no answer, or was no success' })),
    duration_ms: nullable(Type.Integer()),
    created_at: Timestamp,
    attempted_at: nullable(Timestamp),
    next_attempt_at: nullable(Timestamp),
  },
  { title: 'WebhookDelivery' },
)

/** What `POST /webhooks/:id/resend-failed` has done. */
export const ResentShape = Type.Object(
  { resent: Type.Integer({ description: `Deliveries that are sent again; ${mostResent} at most at once` }) },
  { title: 'ResentDeliveries' },
)

const attempt = Type.Object({
  attempted_at: Timestamp,
  duration_ms: Type.Integer(),
  response_status: nullable(Type.Integer()),
  error: nullable(Type.String({ description: 'Why it has no answer, or was no success' })),
  signature: Type.String({ description: 'The header Jackfield-Signature of this attempt' }),
})

const excerpt = (what: string) => Type.String({ description: `${what}, the first ${excerptBytes} bytes` })

export const DeliveryDetailShape = Type.Object(
  {
    ...DeliveryShape.properties,
    request: Type.Object({
      method: Type.Enum(['POST']),
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'As sent by the last attempt; without its signature before the first',
      }),
      body: excerpt('What is sent'),
    }),
    response: Type.Unsafe<{ status: number; body: string } | null>({
      type: ['object', 'null'],
      required: ['status', 'body'],
      properties: { status: Type.Integer(), body: excerpt('What was answered last') },
    }),
    attempt_log: Type.Array(attempt, { description: `The last ${loggedAttempts} attempts, oldest first` }),
  },
  { title: 'WebhookDeliveryDetail' },
)
