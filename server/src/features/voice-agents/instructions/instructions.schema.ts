import Type, { type Static } from 'typebox'
import { Id, Timestamp, nullable, wellFormed } from '../../../infrastructure/http/shapes.js'

export const WriteInstructions = Type.Object({
  prompt: Type.String({
    minLength: 3,
    maxLength: 2000,
    pattern: wellFormed,
    'x-rule': 'well-formed text',
    description: 'What the voice agent is for, in 10 characters or more; or what is to be changed',
  }),
  conversation: Type.Optional(Id({ description: 'Continues this conversation' })),
  response_id: Type.Optional(
    Id({ description: 'Continues from this response of the conversation; the latest by default' }),
  ),
})
export type WriteInstructions = Static<typeof WriteInstructions>

export const InstructionDraftShape = Type.Object(
  {
    instructions: Type.String(),
    greeting_message: nullable(Type.String({ description: 'null: none was written' })),
    conversation: Type.String(),
    response_id: Type.String(),
    created_at: Timestamp,
  },
  { title: 'InstructionDraft' },
)
