import Type, { type Static } from 'typebox'
import { subjectPattern } from '../../../infrastructure/tokens/client-tokens.js'
import { Id, Timestamp, nullable, patterned } from '../../../infrastructure/http/shapes.js'

export const CreateErasure = Type.Object({
  number: Type.Optional(
    patterned(
      `^(\\+?[0-9 ().-]{6,30}|client:${subjectPattern})$`,
      'a phone number with its country code, for example +12025550100, or client:<sub>',
      { description: 'Of a user of your own app `client:` and the `sub` of their JWT' },
    ),
  ),
  contact_id: Type.Optional(Id({ description: 'The contact, and all of its numbers' })),
})
export type CreateErasure = Static<typeof CreateErasure>

const counts = (what: string) => Type.Record(Type.String(), Type.Integer(), { description: what })

export const ErasureShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    status: Type.Enum(['pending', 'running', 'waiting', 'completed'], {
      description:
        '`waiting`: all is deleted but live calls, messages on their way and deliveries that are still tried; it continues when these are over',
    }),
    label: Type.String({ description: 'The numbers, or client:<sub>, all but a few characters hidden' }),
    deleted: counts('How many rows were deleted, or freed of the person’s data, by table'),
    waiting_for: counts('How many are under way and are deleted when that is over, by table'),
    requested_by: Type.Object({ kind: Type.String(), id: nullable(Type.String()) }),
    created_at: Timestamp,
    started_at: nullable(Timestamp),
    ended_at: nullable(Timestamp),
  },
  { title: 'Erasure' },
)
