import Type from 'typebox'
import { endpoint, operator, visitor } from '../../infrastructure/http/endpoint.js'
import { Timestamp, idParams } from '../../infrastructure/http/shapes.js'
import type { OperatorEntries } from './operator-entries.js'
import type { WorkspaceService } from './workspace.service.js'

const Token = Type.Object({ token: Type.String({ minLength: 1, maxLength: 4_096 }) })

interface Services {
  entries: OperatorEntries
  workspaces: WorkspaceService
}

export function operatorEntryEndpoints({ entries, workspaces }: Services) {
  return [
    endpoint({
      method: 'POST',
      path: '/workspaces/:id/entries',
      summary: 'Make a link at which the operator enters a workspace’s console',
      description:
        'The link is good for one use within two minutes. For an hour after that the operator may do there what an administrator may. The audit logs of the workspace and of the platform note it.',
      tag: 'Operator',
      auth: operator,
      params: idParams,
      response: {
        201: Type.Object({ link: Type.String(), expires_at: Timestamp }, { title: 'EntryLink' }),
      },
      errors: { 404: 'No such workspace', 409: 'The workspace is suspended' },
      handler: async ({ params }) => {
        const { link, expires_at } = await entries.make(await workspaces.get(params.id))
        return { link, expires_at: expires_at.toISOString() }
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/workspaces/:id/entries',
      summary: 'End the operator’s entries into a workspace',
      tag: 'Operator',
      auth: operator,
      params: idParams,
      response: { 200: Type.Object({ ended: Type.Integer() }, { title: 'EndedEntries' }) },
      errors: { 404: 'No such workspace' },
      handler: async ({ params }) => ({ ended: await entries.revoke(await workspaces.get(params.id)) }),
    }),
    endpoint({
      method: 'POST',
      path: '/auth/enter',
      summary: 'Exchange the token of an operator’s link for one that requests are made with',
      description: 'Requests send it as `Authorization: Operator <token>`.',
      tag: 'Sessions',
      auth: visitor,
      tier: 'heavy',
      countedApart: true,
      body: Token,
      response: {
        200: Type.Object(
          {
            token: Type.String({ description: 'Valid 1 hour' }),
            expires_at: Type.Integer({ description: 'Milliseconds since 1970' }),
          },
          { title: 'OperatorEntry' },
        ),
      },
      handler: async ({ workspace, body }) => entries.enter(workspace, body.token),
    }),
    endpoint({
      method: 'POST',
      path: '/auth/leave',
      summary: 'End the operator’s entry whose token it is',
      tag: 'Sessions',
      auth: visitor,
      body: Token,
      response: { 200: Type.Object({ message: Type.String() }, { title: 'Left' }) },
      handler: async ({ workspace, body }) => {
        await entries.leave(workspace, body.token)
        return { message: 'The entry has ended.' }
      },
    }),
  ]
}
