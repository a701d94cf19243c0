import { byCreation, exportEndpoint, importEndpoint } from '../../infrastructure/csv/csv-endpoints.js'
import type { Database } from '../../infrastructure/database/database.js'
import { type ManagingActor, apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { forbidden, invalidField } from '../../infrastructure/http/errors.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { adminGuard } from './admin-guard.js'
import { agentCells, agentImporter } from './agent-csv.js'
import type { AgentPresenter } from './agent.presenter.js'
import { agentResource, taken } from './agent.resource.js'
import { AgentList, AgentShape, ChangeAgentPassword, UpdateAgent } from './agent.schema.js'
import type { AgentService } from './agent.service.js'
import { maxAvatarBytes } from './avatars.js'

const { tag } = agentResource
const write = apiKey('full')
const ownersOnly = 'Admins are made and changed by owners, admins and the operator only.'
const guarded = 'Insufficient permissions, or the agent is an admin and the key not an owner’s'

const csv = { path: agentResource.path, tag, plural: 'agents' }

interface Services {
  database: Database
  agents: AgentService
  presenter: AgentPresenter
}

export function agentEndpoints({ database, agents, presenter }: Services) {
  return [
    // Its path would match /agents/:id, too.
    exportEndpoint({
      ...csv,
      ...{ audited: 'agent', query: AgentList, cells: agentCells },
      cursorOf: byCreation,
      list: async (workspace, query) => agents.list(workspace, query),
    }),
    importEndpoint(
      database,
      csv,
      (workspace, actor) => agentImporter(agents, workspace, actor),
      '`username`, `display_name`, for new agents `password`, and where wanted `email`, `role`, `is_admin`, `is_active`, `voicemail_by_email`, `country_code`; an agent is known by the username, and keeps the password',
    ),
    ...agentResource.endpoints(
      {
        list: async (workspace, query) => agents.list(workspace, query),
        get: async (workspace, id) => agents.get(workspace, id),
        create: async (workspace, body, actor) => agents.create(workspace, body, adminGuard(actor)),
      },
      { presenting: async (rows, { workspace }) => presenter.presenting(workspace, rows) },
    ),
    endpoint({
      method: 'PATCH',
      path: '/agents/:id',
      summary: 'Change an agent',
      description: ownersOnly,
      tag,
      auth: write,
      params: idParams,
      body: UpdateAgent,
      response: { 200: AgentShape },
      errors: {
        400: 'Invalid parameters, or no such agent',
        403: guarded,
        ...taken,
      },
      handler: async ({ workspace, actor, params, body }) => {
        if (body.email !== undefined) refuseOwn(actor, params.id, 'e-mail', 'PATCH /me')
        return presenter.present(
          workspace,
          await agents.update(workspace, params.id, body, adminGuard(actor)),
        )
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/agents/:id/avatar',
      summary: 'Upload an agent’s picture',
      description:
        'Send multipart/form-data with a `file`: JPEG, PNG, WebP or GIF, 5 MB and 10,000 × 10,000 pixels at most, labelled with its MIME type. The previous picture is deleted.',
      tag,
      auth: write,
      tier: 'heavy',
      params: idParams,
      upload: { field: 'file', maxBytes: maxAvatarBytes },
      response: { 200: AgentShape },
      errors: { 403: `${guarded}, or the workspace keeps as many files as it may`, 404: 'No such agent' },
      handler: async ({ workspace, actor, params, file }) => {
        if (!file) throw invalidField('file', 'file is required, as multipart/form-data with its MIME type')
        return presenter.present(
          workspace,
          await agents.setAvatar(workspace, params.id, file, adminGuard(actor)),
        )
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/agents/:id/password',
      summary: 'Change an agent’s password',
      tag,
      auth: write,
      params: idParams,
      description: 'The new one is `password`, or `new_password`.',
      body: ChangeAgentPassword,
      response: { 200: AgentShape },
      errors: { 403: guarded, 404: 'No such agent' },
      handler: async ({ workspace, actor, params, body }) => {
        refuseOwn(actor, params.id, 'password', 'PATCH /me/password')
        const guard = adminGuard(actor)
        return presenter.present(
          workspace,
          await agents.setPassword(workspace, params.id, newPasswordOf(body), { guard }),
        )
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/agents/:id',
      summary: 'Delete an agent with its memberships',
      tag,
      auth: write,
      params: idParams,
      response: { 200: AgentShape },
      errors: { 403: guarded, 404: 'No such agent', 409: 'The agent is in use' },
      handler: async ({ workspace, actor, params }) =>
        presenter.present(workspace, await agents.delete(workspace, params.id, adminGuard(actor))),
    }),
  ]
}

/** An admin's session alone must not change what the admin's own account is proved or recovered by. @throws 403 */
function refuseOwn(actor: ManagingActor, id: string, what: string, endpoint: string): void {
  if (actor.kind === 'agent' && actor.id === id)
    throw forbidden(`Admins change their own ${what} with ${endpoint}, which asks for the password`)
}

/** @throws 400 unless exactly one of both names is given */
function newPasswordOf({ password, new_password }: ChangeAgentPassword): string {
  if (password !== undefined && new_password !== undefined) {
    throw invalidField('new_password', 'new_password has no meaning with password, which is the same')
  }
  const given = password ?? new_password
  if (given === undefined) throw invalidField('password', 'password is required')
  return given
}
