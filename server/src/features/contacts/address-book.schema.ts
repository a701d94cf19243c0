import Type, { type Static } from 'typebox'
import { Id, Timestamp, Title } from '../../infrastructure/http/shapes.js'

export const CreateAddressBook = Type.Object({
  title: Title(1, 36),
  shared_teams_id: Type.Optional(
    Type.Array(Id(), {
      maxItems: 100,
      uniqueItems: true,
      description: 'Teams whose agents read it; empty: all agents',
    }),
  ),
})
export type CreateAddressBook = Static<typeof CreateAddressBook>

export const UpdateAddressBook = Type.Partial(CreateAddressBook)
export type UpdateAddressBook = Static<typeof UpdateAddressBook>

export const AddressBookShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    shared_teams_id: Type.Array(Type.String(), { description: 'Empty: all agents read it' }),
    contact_count: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'AddressBook' },
)
