import { list, optionalText, pairs, text } from '../lib/fields.js'

export const contactFields = {
  name: text('name', 'name that people read', { ask: 'Name' }),
  numbers: list('numbers', 'its numbers in E.164', { ask: 'Numbers, comma separated' }),
  email: optionalText('email', 'e-mail address'),
  notes: optionalText('notes', 'what is worth knowing'),
  'address-book': optionalText('address_book_id', 'address book that it is in', { helpValue: '<ab_…>' }),
  field: pairs('custom_fields', 'field of your own'),
}
