import { apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { Destinations } from './destinations.js'
import { CreateExtension, ExtensionShape, UpdateExtension } from './extension.schema.js'
import type { ExtensionService } from './extension.service.js'

interface Services {
  extensions: ExtensionService
  destinations: Destinations
}

const tag = 'Extensions'
const read = apiKey('any')
const write = apiKey('full')

export function extensionEndpoints({ extensions, destinations }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/extensions',
      summary: 'List extensions',
      tag,
      auth: read,
      query: listQuery({
        limit: 10,
        sort: ['created_at', 'extension_number', 'title'],
        search: 'Looks at title and number',
      }),
      response: { 200: listOf(ExtensionShape) },
      handler: async ({ workspace, query }) => {
        const found = await extensions.list(workspace, query)
        return listAnswer(query, found, await destinations.presenting(workspace, found.rows))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/extensions/:id',
      summary: 'Show an extension',
      tag,
      auth: read,
      params: idParams,
      response: { 200: ExtensionShape },
      errors: { 404: 'No such extension' },
      handler: async ({ workspace, params }) =>
        destinations.present(workspace, await extensions.get(workspace, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/extensions',
      summary: 'Create an extension',
      tag,
      auth: write,
      body: CreateExtension,
      response: { 201: ExtensionShape },
      errors: { 403: 'The workspace holds as many extensions as it may', 409: 'The number is taken' },
      handler: async ({ workspace, body }) =>
        destinations.present(workspace, await extensions.create(workspace, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/extensions/:id',
      summary: 'Change an extension',
      description: 'Another destination needs its id; the id of the former one is forgotten.',
      tag,
      auth: write,
      params: idParams,
      body: UpdateExtension,
      response: { 200: ExtensionShape },
      errors: { 404: 'No such extension', 409: 'The number is taken' },
      handler: async ({ workspace, params, body }) =>
        destinations.present(workspace, await extensions.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/extensions/:id',
      summary: 'Delete an extension',
      tag,
      auth: write,
      params: idParams,
      response: { 200: ExtensionShape },
      errors: { 404: 'No such extension', 409: 'Something uses it' },
      handler: async ({ workspace, params }) =>
        destinations.present(workspace, await extensions.delete(workspace, params.id)),
    }),
  ]
}
