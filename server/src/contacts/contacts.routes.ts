import Type from 'typebox'
import { agent, apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { Id, idParams } from '../http/shapes.js'
import { type TeamAccess, managedTeamErrors } from '../teams/team-access.js'
import { AddressBookShape, CreateAddressBook, UpdateAddressBook } from './address-book.schema.js'
import type { AddressBookService } from './address-book.service.js'
import { ContactShape, CreateContact, UpdateContact, WrittenNumber } from './contact.schema.js'
import type { ContactService } from './contact.service.js'

interface Services {
  contacts: ContactService
  addressBooks: AddressBookService
  teamAccess: TeamAccess
}

const read = apiKey('any')
const write = apiKey('full')

const sorted = listQuery({
  limit: 20,
  sort: ['created_at', 'name'],
  search: 'Looks at name, numbers and email',
})

const contactList = Type.Object({
  ...sorted.properties,
  address_book_id: Type.Optional(Id()),
  number: Type.Optional(WrittenNumber),
})

export function contactEndpoints({ contacts, addressBooks, teamAccess }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/contacts',
      summary: 'List contacts',
      tag: 'Contacts',
      auth: read,
      query: contactList,
      response: { 200: listOf(ContactShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await contacts.list(workspace, query), present),
    }),
    endpoint({
      method: 'GET',
      path: '/contacts/:id',
      summary: 'Show a contact',
      tag: 'Contacts',
      auth: read,
      params: idParams,
      response: { 200: ContactShape },
      errors: { 404: 'No such contact' },
      handler: async ({ workspace, params }) => present(await contacts.get(workspace, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/contacts',
      summary: 'Add a contact',
      description: 'Several contacts may have the same number.',
      tag: 'Contacts',
      auth: write,
      body: CreateContact,
      response: { 201: ContactShape },
      errors: { 403: 'The workspace holds as many contacts as it may' },
      handler: async ({ workspace, body }) => present(await contacts.create(workspace, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/contacts/:id',
      summary: 'Change a contact',
      description: '`numbers` and `custom_fields` replace all that were there.',
      tag: 'Contacts',
      auth: write,
      params: idParams,
      body: UpdateContact,
      response: { 200: ContactShape },
      errors: { 404: 'No such contact' },
      handler: async ({ workspace, params, body }) =>
        present(await contacts.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/contacts/:id',
      summary: 'Delete a contact',
      tag: 'Contacts',
      auth: write,
      params: idParams,
      response: { 200: ContactShape },
      errors: { 404: 'No such contact' },
      handler: async ({ workspace, params }) => present(await contacts.delete(workspace, params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/address-books',
      summary: 'List address books',
      tag: 'Contacts',
      auth: read,
      query: listQuery({ limit: 20, sort: ['created_at', 'title'], search: 'Looks at the title' }),
      response: { 200: listOf(AddressBookShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await addressBooks.list(workspace, query), present),
    }),
    endpoint({
      method: 'GET',
      path: '/address-books/:id',
      summary: 'Show an address book',
      tag: 'Contacts',
      auth: read,
      params: idParams,
      response: { 200: AddressBookShape },
      errors: { 404: 'No such address book' },
      handler: async ({ workspace, params }) => present(await addressBooks.get(workspace, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/address-books',
      summary: 'Create an address book',
      tag: 'Contacts',
      auth: write,
      body: CreateAddressBook,
      response: { 201: AddressBookShape },
      errors: { 403: 'The workspace holds as many address books as it may' },
      handler: async ({ workspace, body }) => present(await addressBooks.create(workspace, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/address-books/:id',
      summary: 'Change an address book',
      tag: 'Contacts',
      auth: write,
      params: idParams,
      body: UpdateAddressBook,
      response: { 200: AddressBookShape },
      errors: { 404: 'No such address book' },
      handler: async ({ workspace, params, body }) =>
        present(await addressBooks.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/address-books/:id',
      summary: 'Delete an empty address book',
      tag: 'Contacts',
      auth: write,
      params: idParams,
      response: { 200: AddressBookShape },
      errors: { 404: 'No such address book', 409: 'It holds contacts' },
      handler: async ({ workspace, params }) => present(await addressBooks.delete(workspace, params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/teams/:team_id/contacts',
      summary: 'List the contacts that one’s team reads',
      description: 'Those in address books that are shared with the team or with all, and those in none.',
      tag: 'Call centre',
      auth: agent('leader'),
      params: Type.Object({ team_id: Id() }),
      query: sorted,
      response: { 200: listOf(ContactShape) },
      errors: managedTeamErrors,
      handler: async ({ workspace, actor, params, query }) => {
        await teamAccess.manage(workspace, params.team_id, actor)
        const books = await addressBooks.readBy(workspace, params.team_id)
        return listAnswer(query, await contacts.listIn(workspace, books, query), present)
      },
    }),
  ]
}

function present<T extends { created_at: Date; updated_at: Date }>({ created_at, updated_at, ...row }: T) {
  return { ...row, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() }
}
