import Type, { type Static } from 'typebox'
import { WrittenNumber } from '../../contacts/contact.schema.js'
import { listQuery, madeBetween } from '../../../infrastructure/http/lists.js'
import { Id, Timestamp } from '../../../infrastructure/http/shapes.js'

export const OptOutShape = Type.Object(
  {
    workspace_id: Type.String(),
    phone_number_id: Type.String(),
    system_number: Type.String({ description: 'The number that sends no more to the client; E.164' }),
    client_number: Type.String({ description: 'E.164' }),
    created_at: Timestamp,
  },
  { title: 'OptOut' },
)

const sorted = listQuery({ limit: 20, sort: ['created_at'], search: 'Looks at the client’s number' })

export const OptOutQuery = Type.Object({
  ...sorted.properties,
  phone_number_id: Type.Optional(Id()),
  ...madeBetween,
})
export type OptOutQuery = Static<typeof OptOutQuery>

export const OptOutInput = Type.Object({ phone_number_id: Id(), client_number: WrittenNumber })
export type OptOutInput = Static<typeof OptOutInput>

export const optOutParams = Type.Object({
  phone_number_id: Id(),
  client_number: Id({ description: 'E.164' }),
})
