import Type from 'typebox'
import { apiKey, endpoint, operator } from '../../../infrastructure/http/endpoint.js'
import { Id, idParams, patterned } from '../../../infrastructure/http/shapes.js'
import { invalidField } from '../../../infrastructure/http/errors.js'
import type { WorkspaceService } from '../../workspaces/workspace.service.js'
import { type Originators, isOriginator, originatorPattern } from './originators.js'

/** At most this many of a number. */
const maxOriginators = 20

const tag = 'Carriers'
const rule =
  "a short code of 3 to 6 digits, or a name of up to 11 letters, digits, spaces and & ' . _ - with a letter in it"
const numberOfWorkspace = Type.Object({ workspace_id: Id(), id: Id() })
const unknown = { 404: 'No such workspace or number' }

const Assigned = Type.Object(
  {
    phone_number_id: Type.String(),
    originators: Type.Array(Type.String(), { description: 'Names and short codes that it sends as' }),
  },
  { title: 'NumberOriginators' },
)

const Assign = Type.Object({
  originators: Type.Array(patterned(`^${originatorPattern}$`, rule), {
    ...{ maxItems: maxOriginators, uniqueItems: true },
    description: 'Names and short codes; empty: it sends as itself alone',
  }),
})

export function originatorEndpoints({
  originators,
  workspaces,
}: {
  originators: Originators
  workspaces: WorkspaceService
}) {
  return [
    endpoint({
      method: 'GET',
      path: '/phone-numbers/:id/originators',
      summary: 'Show the names and short codes that a number sends as',
      tag: 'Phone numbers',
      auth: apiKey('any'),
      params: idParams,
      response: { 200: Assigned },
      errors: { 404: 'No such number' },
      handler: async ({ workspace, params: { id } }) => ({
        phone_number_id: id,
        originators: await originators.of(workspace, id),
      }),
    }),
    endpoint({
      method: 'GET',
      path: '/workspaces/:workspace_id/phone-numbers/:id/originators',
      summary: 'Show the names and short codes that a customer’s number sends as',
      tag,
      auth: operator,
      params: numberOfWorkspace,
      response: { 200: Assigned },
      errors: unknown,
      handler: async ({ params: { workspace_id, id } }) => ({
        phone_number_id: id,
        originators: await originators.of(await workspaces.get(workspace_id), id),
      }),
    }),
    endpoint({
      method: 'PUT',
      path: '/workspaces/:workspace_id/phone-numbers/:id/originators',
      summary: 'Let a customer’s number send as names and short codes',
      description:
        'They are sent over carriers whose setting takes_originators is on. Each belongs to one number of the platform. Texts for a short code come to its number.',
      tag,
      auth: operator,
      params: numberOfWorkspace,
      body: Assign,
      response: { 200: Assigned },
      errors: { ...unknown, 409: 'Another number sends as one of them' },
      handler: async ({ params: { workspace_id, id }, body }) => {
        const workspace = await workspaces.get(workspace_id)
        for (const [index, one] of body.originators.entries()) {
          if (!isOriginator(one))
            throw invalidField(`originators.${index}`, `originators.${index} must be ${rule}`)
        }
        return { phone_number_id: id, originators: await originators.assign(workspace, id, body.originators) }
      },
    }),
  ]
}
