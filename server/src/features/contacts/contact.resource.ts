/** Contacts, as the API has them. */
import Type from 'typebox'
import { invalidField } from '../../infrastructure/http/errors.js'
import { idOrNone, listQuery } from '../../infrastructure/http/lists.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { Contact } from './contact.entity.js'
import { ContactShape, CreateContact, UpdateContact, WrittenNumber } from './contact.schema.js'

export const noAddressBook = () =>
  invalidField('address_book_id', 'address_book_id is not an address book of this workspace')

export const sortedContacts = listQuery({
  limit: 20,
  sort: ['created_at', 'name'],
  search: 'Looks at name, numbers and email',
})

const contactList = Type.Object({
  ...sortedContacts.properties,
  address_book_id: idOrNone('Only those in this address book'),
  number: Type.Optional(WrittenNumber),
})

export const contactResource = resource({
  ...{ path: '/contacts', noun: 'contact', tag: 'Contacts' },
  ...{ id: 'con', table: Contact, missing: noAddressBook },
  shape: ContactShape,
  list: { query: contactList },
  show: {},
  create: {
    body: CreateContact,
    summary: 'Add a contact',
    description: 'Several contacts may have the same number.',
  },
  update: { body: UpdateContact, description: '`numbers` and `custom_fields` replace all that were there.' },
  delete: {},
})
