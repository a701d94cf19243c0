import { apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import {
  CreateSipAccount,
  SipAccountShape,
  UpdateSipAccount,
  presentSipAccount,
} from './sip-account.schema.js'
import type { SipAccountService } from './sip-account.service.js'

const tag = 'SIP accounts'
const read = apiKey('any')
const write = apiKey('full')

export function sipAccountEndpoints({ sipAccounts }: { sipAccounts: SipAccountService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/sip-accounts',
      summary: 'List SIP accounts',
      tag,
      auth: read,
      query: listQuery({
        limit: 10,
        sort: ['created_at', 'title'],
        search: 'Looks at title and username',
      }),
      response: { 200: listOf(SipAccountShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await sipAccounts.list(workspace, query), presentSipAccount),
    }),
    endpoint({
      method: 'GET',
      path: '/sip-accounts/:id',
      summary: 'Show a SIP account',
      tag,
      auth: read,
      params: idParams,
      response: { 200: SipAccountShape },
      errors: { 404: 'No such account' },
      handler: async ({ workspace, params }) =>
        presentSipAccount(await sipAccounts.get(workspace, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/sip-accounts',
      summary: 'Create a SIP account',
      description: 'Phones can register with its domain, username and password at once.',
      tag,
      auth: write,
      body: CreateSipAccount,
      response: { 201: SipAccountShape },
      errors: { 403: 'The workspace holds as many accounts as it may', 409: 'The username is taken' },
      handler: async ({ workspace, body }) => presentSipAccount(await sipAccounts.create(workspace, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/sip-accounts/:id',
      summary: 'Change a SIP account',
      description: 'A new password takes its phones off the registrar: they register again with it.',
      tag,
      auth: write,
      params: idParams,
      body: UpdateSipAccount,
      response: { 200: SipAccountShape },
      errors: { 404: 'No such account' },
      handler: async ({ workspace, params, body }) =>
        presentSipAccount(await sipAccounts.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/sip-accounts/:id',
      summary: 'Delete a SIP account',
      description: 'Its phones are taken off the registrar and cannot register again.',
      tag,
      auth: write,
      params: idParams,
      response: { 200: SipAccountShape },
      errors: { 404: 'No such account', 409: 'Extensions use it' },
      handler: async ({ workspace, params }) =>
        presentSipAccount(await sipAccounts.delete(workspace, params.id)),
    }),
  ]
}
