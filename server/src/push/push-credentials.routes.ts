import { apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { PushCredential } from './push-credential.entity.js'
import {
  CreatePushCredential,
  PushCredentialShape,
  PushTestShape,
  UpdatePushCredential,
} from './push-credential.schema.js'
import type { PushCredentialService } from './push-credential.service.js'
import type { PushOutcome } from './push.js'
import type { PushService } from './push.service.js'

interface Services {
  pushCredentials: PushCredentialService
  push: Pick<PushService, 'test'>
}

const tag = 'Push credentials'
const read = apiKey('any')
const write = apiKey('full')
const unknown = { 404: 'No such push credential' }
const taken = { 409: 'The API key has a credential for this platform' }

export function pushCredentialEndpoints({ pushCredentials, push }: Services) {
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
      method: 'POST',
      path: '/push-credentials/:id/test',
      summary: 'Ask the push service whether it takes a push credential',
      description: 'By a push to a token that no device has. A topic or bundle id is not tried by it.',
      tag,
      auth: write,
      params: idParams,
      response: { 200: PushTestShape },
      errors: unknown,
      handler: async ({ workspace, params }) =>
        presentTest(await push.test(await pushCredentials.get(workspace, params.id))),
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

/** The token was made up: that it is dead says that the credential is good. */
function presentTest(outcome: PushOutcome) {
  if (outcome.kind === 'sent' || outcome.kind === 'dead_token')
    return { result: 'accepted' as const, reason: null }
  return {
    result: outcome.kind === 'refused' ? ('refused' as const) : ('unreachable' as const),
    reason: outcome.reason,
  }
}

function present({ private_key: _, ...credential }: PushCredential) {
  return {
    ...credential,
    last_error_at: credential.last_error_at?.toISOString() ?? null,
    created_at: credential.created_at.toISOString(),
    updated_at: credential.updated_at.toISOString(),
  }
}
