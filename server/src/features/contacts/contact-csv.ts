/** Contacts in CSV files. A contact is known by its first number. */
import type { CsvCell } from '../../infrastructure/http/csv.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { RowImporter } from '../../infrastructure/csv/row-import.js'
import type { Contact } from './contact.entity.js'
import { CreateContact } from './contact.schema.js'
import type { ContactService } from './contact.service.js'

const maxLines = 10_000

export const contactCells: Readonly<Record<string, (contact: Contact) => CsvCell>> = {
  name: ({ name }) => name,
  numbers: ({ numbers }) => numbers.join(';'),
  email: ({ email }) => email,
  notes: ({ notes }) => notes,
  custom_fields: ({ custom_fields }) =>
    Object.keys(custom_fields).length > 0 ? JSON.stringify(custom_fields) : null,
  address_book_id: ({ address_book_id }) => address_book_id,
}

export function contactImporter(contacts: ContactService, workspace: Owner): RowImporter<CreateContact> {
  return {
    columns: [
      { name: 'name', kind: 'text', also: ['full_name', 'contact', 'display_name'] },
      {
        ...{ name: 'numbers', kind: 'list' },
        also: ['number', 'phone', 'phone_number', 'telephone', 'mobile', 'work_phone', 'home_phone'],
      },
      { name: 'email', kind: 'text', also: ['e_mail', 'mail', 'email_address'] },
      { name: 'notes', kind: 'text', also: ['note', 'comment', 'comments'] },
      { name: 'custom_fields', kind: 'object' },
      { name: 'address_book_id', kind: 'text', also: ['address_book', 'book'] },
    ],
    body: CreateContact,
    references: { address_book_id: { table: 'address_books', by: 'title', noun: 'an address book' } },
    maxLines,
    prepare: async (owner, body) => contacts.normalize(owner, body),
    keyOf: ({ numbers: [first = ''] }) => first,
    keyColumn: 'numbers',
    existing: async (owner, bodies) =>
      contacts.newestWith(
        owner,
        bodies.map(({ numbers: [first = ''] }) => first),
      ),
    room: async (owner) => contacts.room(owner),
    create: async (body) => contacts.create(workspace, body),
    update: async (id, given) => contacts.update(workspace, id, given),
  }
}
