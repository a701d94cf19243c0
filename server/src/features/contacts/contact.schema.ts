import Type, { type Static } from 'typebox'
import { Id, Timestamp, Title, nullable, patterned, wellFormed } from '../../infrastructure/http/shapes.js'

const maxNumbers = 10
const maxCustomFields = 50

/** Separators are dropped; whether it is a possible number is found out when it is read. */
export const WrittenNumber = patterned(
  '^\\+?[0-9 ().-]{6,30}$',
  'a phone number with its country code, for example +12025550100',
)

const customFields = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: maxCustomFields,
  propertyNames: {
    pattern: '^\\p{L}[\\p{L}\\p{N} _.-]{0,63}$',
    'x-rule': 'named by a letter and then up to 63 letters, digits, spaces, _, . and -',
  },
  additionalProperties: {
    type: 'string',
    maxLength: 500,
    pattern: wellFormed,
    'x-rule': 'a well-formed text',
  },
})

const contactFields = {
  name: Title(1, 100),
  numbers: Type.Array(WrittenNumber, {
    minItems: 1,
    maxItems: maxNumbers,
    description: 'E.164; separators are dropped, each number once',
  }),
  email: Type.Optional(nullable(Type.String({ format: 'email', maxLength: 254 }))),
  notes: Type.Optional(
    nullable(Type.String({ maxLength: 2000, pattern: wellFormed, 'x-rule': 'a well-formed text' })),
  ),
  custom_fields: Type.Optional(customFields),
  address_book_id: Type.Optional(nullable(Id())),
}

export const CreateContact = Type.Object(contactFields)
export type CreateContact = Static<typeof CreateContact>

export const UpdateContact = Type.Partial(CreateContact)
export type UpdateContact = Static<typeof UpdateContact>

export const ContactShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    name: Type.String(),
    numbers: Type.Array(Type.String({ description: 'E.164, for example +12025550100' })),
    email: nullable(Type.String()),
    notes: nullable(Type.String()),
    custom_fields: Type.Record(Type.String(), Type.String()),
    address_book_id: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Contact' },
)
