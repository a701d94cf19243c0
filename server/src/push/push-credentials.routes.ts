import { apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { PushCredential } from './push-credential.entity.js'
import { CreatePushCredential, PushCredentialShape, UpdatePushCredential } from './push-credential.schema.js'
import type { PushCredentialService } from './push-credential.service.js'

const tag = 'Push credentials'
const read = apiKey('any')
const write = apiKey('full')
const unknown = { 404: 'No such push credential' }
const taken = { 409: 'The API key has a credential for this platform' }

export function pushCredentialEndpoints({ pushCredentials }: { pushCredentials: PushCredentialService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/push-credentials',
      summary: 'List push credentials',
      tag,
      auth: read,
      query: listQuery({ limit: 20, sort: ['created_at', 'name'], search: 'Looks at the name' }),
      response: { 200: listOf(PushCredentialShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await pushCredentials.list(workspace, query), present),
    }),
    endpoint({
      method: 'GET',
      path: '/push-credentials/:id',
      summary: 'Show a push credential',
      tag,
      auth: read,
      params: idParams,
      response: { 200: PushCredentialShape },
      errors: unknown,
      handler: async ({ workspace, params }) => present(await pushCredentials.get(workspace, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/push-credentials',
      summary: 'Create a push credential',
      description:
        'ios takes all `ios_…` fields; android takes `android_service_account` and, better, `android_package_name`. Keys are kept encrypted and never shown.',
      tag,
      auth: write,
      body: CreatePushCredential,
      response: { 201: PushCredentialShape },
      errors: { 403: 'The workspace holds as many push credentials as it may', ...taken },
      handler: async ({ workspace, body }) => present(await pushCredentials.create(workspace, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/push-credentials/:id',
      summary: 'Change a push credential or its key',
      description: 'A new key holds from the next push on.',
      tag,
      auth: write,
      params: idParams,
      body: UpdatePushCredential,
      response: { 200: PushCredentialShape },
      errors: { ...unknown, ...taken },
      handler: async ({ workspace, params, body }) =>
        present(await pushCredentials.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/push-credentials/:id',
      summary: 'Delete a push credential',
      tag,
      auth: write,
      params: idParams,
      response: { 200: PushCredentialShape },
      errors: unknown,
      handler: async ({ workspace, params }) => present(await pushCredentials.delete(workspace, params.id)),
    }),
  ]
}

function present({ private_key: _, ...credential }: PushCredential) {
  return {
    ...credential,
    last_error_at: credential.last_error_at?.toISOString() ?? null,
    created_at: credential.created_at.toISOString(),
    updated_at: credential.updated_at.toISOString(),
  }
}
