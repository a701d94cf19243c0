import Type from 'typebox'
import { agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { Id } from '../../infrastructure/http/shapes.js'
import { byCreation, exportEndpoint, importEndpoint } from '../../infrastructure/csv/csv-endpoints.js'
import type { Database } from '../../infrastructure/database/database.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import { type TeamAccess, managedTeamErrors } from '../teams/team-access.js'
import { addressBookResource } from './address-book.resource.js'
import type { AddressBookService } from './address-book.service.js'
import { contactCells, contactImporter } from './contact-csv.js'
import { contactResource, sortedContacts } from './contact.resource.js'
import { ContactShape } from './contact.schema.js'
import type { ContactService } from './contact.service.js'

interface Services {
  database: Database
  contacts: ContactService
  addressBooks: AddressBookService
  teamAccess: TeamAccess
}

const csv = { path: contactResource.path, tag: contactResource.tag, plural: 'contacts' }

export function contactEndpoints({ database, contacts, addressBooks, teamAccess }: Services) {
  return [
    // Its path would match /contacts/:id, too.
    exportEndpoint({
      ...csv,
      ...{ audited: 'contact', query: contactResource.list.query, cells: contactCells },
      cursorOf: byCreation,
      list: async (workspace, query) => contacts.list(workspace, query),
    }),
    importEndpoint(
      database,
      csv,
      (workspace) => contactImporter(contacts, workspace),
      '`name`, `numbers`, and where wanted `email`, `notes`, `custom_fields` (JSON), `address_book_id`; a contact is known by its first number',
    ),
    ...contactResource.endpoints(contacts, withTimes),
    ...addressBookResource.endpoints(addressBooks, addressBooks),
    endpoint({
      method: 'GET',
      path: '/call-center/teams/:team_id/contacts',
      summary: 'List the contacts that one’s team reads',
      description: 'Those in address books that are shared with the team or with all, and those in none.',
      tag: 'Call centre',
      auth: agent('leader'),
      params: Type.Object({ team_id: Id() }),
      query: sortedContacts,
      response: { 200: listOf(ContactShape) },
      errors: managedTeamErrors,
      handler: async ({ workspace, actor, params, query }) => {
        await teamAccess.manage(workspace, params.team_id, actor)
        const books = await addressBooks.readBy(workspace, params.team_id)
        return listAnswer(query, await contacts.listIn(workspace, books, query), withTimes)
      },
    }),
  ]
}
