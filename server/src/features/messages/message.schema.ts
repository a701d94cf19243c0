import Type, { type Static } from 'typebox'
import { maxUrlLength } from '../../infrastructure/http-client/urls.js'
import { listQuery, madeBetween } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, nullable, patterned, wellFormed } from '../../infrastructure/http/shapes.js'
import { originatorPattern } from './carriers/originators.js'

/** Characters (contract, section Limits). */
export const maxBodyLength = 1_600

/** Files of one message. */
const maxMediaUrls = 10

export const E164 = (description: string) =>
  patterned('^\\+[1-9][0-9]{6,14}$', 'a number in E.164, such as +12025550100', { description })

/** The content of every message that is sent. */
export const messageContent = {
  body: Type.String({
    maxLength: maxBodyLength,
    pattern: wellFormed,
    'x-rule': 'a well-formed text',
    description: 'May be empty where there are media_urls',
  }),
  media_urls: Type.Optional(
    Type.Array(Type.String({ maxLength: maxUrlLength }), {
      maxItems: maxMediaUrls,
      description: 'Public URLs of JPEG, PNG or GIF pictures or of audio',
    }),
  ),
}

/** A number of the workspace, or what one of them sends as. */
const sender = patterned(
  `^(\\+[1-9][0-9]{6,14}|${originatorPattern})$`,
  'a number in E.164, such as +12025550100, or a name or short code that a number of the workspace sends as',
  {
    description:
      'A number of the workspace with the capability `sms`, or a name or short code of such a number',
  },
)

export const SendMessage = Type.Object({
  from: sender,
  to: E164('The recipient'),
  ...messageContent,
})
export type SendMessage = Static<typeof SendMessage>

const direction = Type.Enum(['outbound', 'inbound'])
const status = Type.Enum(['queued', 'sending', 'sent', 'delivered', 'failed', 'undelivered', 'received'])

export const messageQuery = Type.Object({
  ...listQuery({
    limit: 20,
    sort: ['created_at', 'updated_at', 'status'],
    search: 'Looks at both numbers, the body and the names of contacts',
  }).properties,
  direction: Type.Optional(direction),
  status: Type.Optional(status),
  phone_number_id: Type.Optional(Id({ description: 'Only those of this number of the workspace' })),
  ...madeBetween,
})
export type MessageQuery = Static<typeof messageQuery>

export const MessageShape = Type.Object(
  {
    id: Type.String(),
    conversation_id: Type.String(),
    workspace_id: Type.String(),
    phone_number_id: Type.String(),
    from: Type.String(),
    to: Type.String(),
    client_number: Type.String({ description: 'The other party’s number' }),
    body: Type.String(),
    direction,
    status,
    sender_type: Type.Enum(['client', 'agent', 'voice_agent', 'system']),
    sender_id: nullable(Type.String({ description: 'The agent, or voice agent, that wrote it' })),
    media_urls: Type.Array(Type.String(), {
      description: 'The URLs with which an outbound message was sent',
    }),
    media: Type.Array(
      Type.Object({ url: Type.String(), content_type: Type.String(), bytes: Type.Integer() }),
      { description: 'The files as they are stored; anyone with a URL can fetch the file' },
    ),
    encoding: Type.Enum(['gsm7', 'ucs2']),
    segments: Type.Integer({ description: 'The number of SMS segments' }),
    cost: nullable(Type.Number({ description: 'USD; null until a carrier has taken it, and for inbound' })),
    error_code: nullable(Type.String()),
    error_message: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Message' },
)

export const ListedMessageShape = Type.Object(
  {
    ...MessageShape.properties,
    client_name: nullable(
      Type.String({ description: 'The name of the contact with the other party’s number' }),
    ),
    contact_id: nullable(Type.String()),
  },
  { title: 'ListedMessage' },
)

export const MessageDetailShape = Type.Object(
  {
    ...ListedMessageShape.properties,
    sent_at: nullable({ ...Timestamp, description: 'When a carrier took it' }),
    carrier_message_id: nullable(
      Type.String({
        description: 'The carrier’s id of the message, or of its first segment: for questions to the carrier',
      }),
    ),
  },
  { title: 'MessageDetail' },
)
