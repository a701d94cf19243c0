import Type, { type Static } from 'typebox'
import { pageQuery } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, nullable, wellFormed } from '../../infrastructure/http/shapes.js'
import { E164, MessageShape, messageContent } from '../messages/message.schema.js'

const status = Type.Enum(['open', 'closed'])

const { id, body, direction, sender_type, sender_id, created_at } = MessageShape.properties

const LastMessage = Type.Object({ id, body, direction, sender_type, sender_id, created_at })

export const ConversationShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    phone_number_id: Type.String(),
    system_number: Type.String({ description: 'The workspace’s number in E.164' }),
    client_number: Type.String({
      description: 'In E.164; a short code or a name is written as its carrier sent it',
    }),
    client_name: nullable(Type.String({ description: 'Of the contact added last that has the number' })),
    contact_id: nullable(Type.String({ description: 'That contact' })),
    assigned_agent_id: nullable(Type.String()),
    assigned_team_id: nullable(Type.String()),
    status,
    unread_count: Type.Integer({ description: 'Inbound messages that no agent has read' }),
    last_message: nullable(LastMessage),
    last_message_at: nullable(Timestamp),
    last_read_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Conversation' },
)
export type ConversationAnswer = Static<typeof ConversationShape>

const assignee = '`me`, `unassigned`, or the id of an agent'

export const conversationQuery = Type.Object({
  ...pageQuery(20).properties,
  status: Type.Optional(status),
  phone_number_id: Type.Optional(Id({ description: 'Only those of this number of the workspace' })),
  assigned_agent_id: Type.Optional(Id({ description: assignee })),
  assigned_to: Type.Optional(Id({ description: 'The same as assigned_agent_id, which comes first' })),
  assigned_team_id: Type.Optional(Id({ description: 'Only those of this team' })),
  unread_only: Type.Boolean({ default: false, description: 'Only those with unread messages' }),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Looks at both numbers and the client’s name' }),
  ),
})
export type ConversationQuery = Static<typeof conversationQuery>

const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

export const conversationMessagesQuery = Type.Object({
  ...pageQuery(50).properties,
  before: moment('Only messages created before this time; page 1 has the latest of them'),
  after: moment('Only messages created after this time; page 1 has the earliest of them'),
})
export type ConversationMessagesQuery = Static<typeof conversationMessagesQuery>

export const StartConversation = Type.Object({
  from: E164('A number of the workspace with the capability `sms`'),
  client_number: E164('The recipient'),
  ...messageContent,
})
export type StartConversation = Static<typeof StartConversation>

export const Reply = Type.Object(messageContent)
export type Reply = Static<typeof Reply>

export const StartedConversationShape = Type.Object({
  conversation: ConversationShape,
  message: MessageShape,
})

export const UpdateConversation = Type.Partial(
  Type.Object({
    status,
    assigned_agent_id: nullable(Id({ description: 'Null: no agent has it' })),
    assigned_team_id: nullable(Id({ description: 'Null: no team has it' })),
  }),
)
export type UpdateConversation = Static<typeof UpdateConversation>

export const ConversationNoteShape = Type.Object(
  {
    id: Type.String(),
    conversation_id: Type.String(),
    agent_id: Type.String({ description: 'Its author' }),
    body: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'ConversationNote' },
)

export const WriteNote = Type.Object({
  body: Type.String({
    ...{ minLength: 1, maxLength: 2_000, pattern: wellFormed, 'x-rule': 'a well-formed text' },
    description: 'A note among agents; the client never sees it',
  }),
})

export const noteParams = Type.Object({ id: Id(), note_id: Id() })
