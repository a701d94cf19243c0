/** Address books, as the API has them. */
import { badRequest } from '../../infrastructure/http/errors.js'
import { listQuery } from '../../infrastructure/http/lists.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { AddressBook } from './address-book.entity.js'
import { AddressBookShape, CreateAddressBook, UpdateAddressBook } from './address-book.schema.js'

export const addressBookResource = resource({
  ...{ path: '/address-books', noun: 'address book', tag: 'Contacts' },
  ...{ id: 'ab', table: AddressBook, search: ['title'], guarded: 'address_book' },
  missing: () => badRequest('One of the teams has just been deleted'),
  shape: AddressBookShape,
  list: { query: listQuery({ limit: 20, sort: ['created_at', 'title'], search: 'Looks at the title' }) },
  show: {},
  create: { body: CreateAddressBook },
  update: { body: UpdateAddressBook },
  delete: { summary: 'Delete an empty address book', errors: { 409: 'It holds contacts' } },
})
