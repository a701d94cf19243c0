import Type, { type Static } from 'typebox'
import { pageQuery } from '../http/lists.js'
import { Timestamp, Title, wellFormed } from '../http/shapes.js'

export const CreateCannedReply = Type.Object({
  title: Title(1, 64),
  body: Type.String({
    ...{ minLength: 1, maxLength: 1_600, pattern: wellFormed, 'x-rule': 'a well-formed text' },
    description: 'Placeholders in it are filled by the app that sends it',
  }),
})
export type CreateCannedReply = Static<typeof CreateCannedReply>

export const UpdateCannedReply = Type.Partial(CreateCannedReply)
export type UpdateCannedReply = Static<typeof UpdateCannedReply>

export const cannedReplyQuery = Type.Object({
  ...pageQuery(20).properties,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Looks at title and body' })),
})
export type CannedReplyQuery = Static<typeof cannedReplyQuery>

export const CannedReplyShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    body: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'CannedReply' },
)
