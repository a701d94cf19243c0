import { type AgentActor, type Tenant, agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { notFound } from '../../infrastructure/http/errors.js'
import { listAnswer, listOf, pageQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { AgentSession } from './agent-session.entity.js'
import { type AgentSessions, maxSessions } from './agent-sessions.js'
import { Logout, SessionShape, Confirmation } from './auth.schema.js'

const tag = 'Sessions'
const auth = agent()

interface Services {
  sessions: AgentSessions
  devices: { unregister(workspace: Tenant, agent: AgentActor, deviceId: string): Promise<unknown> }
}

const ownerOf = (workspace: Tenant, { id }: AgentActor) => ({ workspace_id: workspace.id, id })

export function sessionEndpoints({ sessions, devices }: Services) {
  return [
    endpoint({
      method: 'POST',
      path: '/me/logout',
      summary: 'Log out on a device',
      description:
        'Its session ends, and its push tokens are unregistered. Nothing happens where there are none.',
      tag,
      auth,
      body: Logout,
      response: { 200: Confirmation },
      handler: async ({ workspace, actor, body: { device_id } }) => {
        // First what could still be called: a session that is left can be ended again.
        await devices.unregister(workspace, actor, device_id)
        await sessions.end(ownerOf(workspace, actor), { device_id })
        return { message: 'Logged out.' }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/me/sessions',
      summary: 'List where one is logged in',
      description: 'The session that was used last comes first.',
      tag,
      auth,
      query: pageQuery(maxSessions),
      response: { 200: listOf(SessionShape) },
      handler: async ({ workspace, actor, query }) =>
        listAnswer(query, await sessions.list(ownerOf(workspace, actor), query), (one) =>
          present(one, actor),
        ),
    }),
    endpoint({
      method: 'DELETE',
      path: '/me/sessions/:id',
      summary: 'End a session, as a log-out on its device does',
      tag,
      auth,
      params: idParams,
      response: { 200: SessionShape },
      errors: { 404: 'No such session of yours' },
      handler: async ({ workspace, actor, params: { id } }) => {
        const owner = ownerOf(workspace, actor)
        const session = await sessions.find(owner, id)
        if (!session) throw notFound('Session not found')
        await sessions.end(owner, { id })
        return present(session, actor)
      },
    }),
  ]
}

function present(session: AgentSession, { session_id }: AgentActor) {
  const { id, device_id, created_at, refreshed_at, expires_at } = session
  return {
    ...{ id, device_id, is_current: id === session_id },
    created_at: created_at.toISOString(),
    refreshed_at: refreshed_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }
}
