import Type, { type Static } from 'typebox'
import { apiKey, endpoint, operator, visitor } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageQuery } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, idParams, nullable } from '../../infrastructure/http/shapes.js'
import { adminGuard } from '../agents/admin-guard.js'
import type { AgentPresenter } from '../agents/agent.presenter.js'
import { CreateAgent } from '../agents/agent.schema.js'
import type { AgentService } from '../agents/agent.service.js'
import type { WorkspaceService } from '../workspaces/workspace.service.js'
import type { AgentInvitation } from './agent-invitation.entity.js'
import { LoggedIn, Login, ResetPassword } from './auth.schema.js'
import type { AuthService } from './auth.service.js'
import type { Invitation, Invitations } from './invitations.js'

interface Services {
  invitations: Invitations
  agents: AgentService
  auth: AuthService
  presenter: AgentPresenter
  workspaces: WorkspaceService
}

const InvitationShape = Type.Object(
  {
    agent_id: Type.String(),
    username: Type.String(),
    link: Type.String({ description: 'In this answer alone: it is not shown again' }),
    expires_at: Timestamp,
    sent_to: nullable(
      Type.String({ description: 'Where the link was mailed, too; null without an e-mail or a mail server' }),
    ),
  },
  { title: 'Invitation' },
)

const EndedInvitationShape = Type.Object(
  { agent_id: Type.String(), created_at: Timestamp, expires_at: Timestamp },
  { title: 'EndedInvitation' },
)

const AdministratorShape = Type.Object(
  {
    id: Type.String(),
    username: Type.String(),
    display_name: Type.String(),
    email: nullable(Type.String()),
    is_active: Type.Boolean(),
    invited_until: nullable(Type.String({ description: 'When the open invitation ends; null without one' })),
    created_at: Timestamp,
  },
  { title: 'Administrator' },
)

const InviteAdministrator = Type.Object({
  username: CreateAgent.properties.username,
  display_name: Type.Optional(CreateAgent.properties.display_name),
  email: CreateAgent.properties.email,
})
export type InviteAdministrator = Static<typeof InviteAdministrator>

const CheckInvitation = Type.Object({ token: ResetPassword.properties.token })
const AcceptInvitation = Type.Object({
  ...ResetPassword.properties,
  device_id: Login.properties.device_id,
})
const administratorParams = Type.Object({ id: Id(), agent_id: Id() })
const links =
  'The link is good for one use within 24 hours, and replaces the one before. It is mailed, too, where a mail server is set and the agent has an e-mail.'

export function invitationEndpoints({ invitations, agents, auth, presenter, workspaces }: Services) {
  return [
    endpoint({
      method: 'POST',
      path: '/agents/:id/invitation',
      summary: 'Make a link at which an agent sets their password',
      description: `${links} Admins are invited by owners, admins and the operator only.`,
      tag: 'Agents',
      auth: apiKey('full'),
      params: idParams,
      response: { 201: InvitationShape },
      errors: {
        403: 'Insufficient permissions, or the agent is an admin and the key not an owner’s',
        404: 'No such agent',
        409: 'The agent is inactive',
      },
      handler: async ({ workspace, actor, params }) =>
        present(await invitations.invite(workspace, params.id, { guard: adminGuard(actor) })),
    }),
    endpoint({
      method: 'DELETE',
      path: '/agents/:id/invitation',
      summary: 'End the link at which an agent sets their password',
      tag: 'Agents',
      auth: apiKey('full'),
      params: idParams,
      response: { 200: EndedInvitationShape },
      errors: {
        403: 'Insufficient permissions, or the agent is an admin and the key not an owner’s',
        404: 'No such agent, or it has no invitation',
      },
      handler: async ({ workspace, actor, params }) =>
        presentEnded(await invitations.revoke(workspace, params.id, { guard: adminGuard(actor) })),
    }),
    endpoint({
      method: 'GET',
      path: '/workspaces/:id/administrators',
      summary: 'List the administrators of a workspace',
      tag: 'Operator',
      auth: operator,
      params: idParams,
      query: pageQuery(20),
      response: { 200: listOf(AdministratorShape) },
      errors: { 404: 'No such workspace' },
      handler: async ({ params, query }) => {
        const workspace = await workspaces.get(params.id)
        const request = { ...query, sort_field: 'created_at', sort_order: 'asc' } as const
        const page = await agents.listWhere(workspace, request, { is_admin: true })
        const invited = await invitations.open(
          workspace,
          page.rows.map(({ id }) => id),
        )
        return listAnswer(query, page, ({ id, username, display_name, email, is_active, created_at }) => ({
          ...{ id, username, display_name, email, is_active },
          invited_until: invited.get(id)?.toISOString() ?? null,
          created_at: created_at.toISOString(),
        }))
      },
    }),
    endpoint({
      method: 'POST',
      path: '/workspaces/:id/administrators',
      summary: 'Make an administrator of a workspace, with a link to set a password',
      description: `${links} For the username of an administrator it makes another link. The audit logs of the workspace and of the platform note it.`,
      tag: 'Operator',
      auth: operator,
      params: idParams,
      body: InviteAdministrator,
      response: { 201: InvitationShape },
      errors: {
        403: 'The workspace holds as many agents as it may',
        404: 'No such workspace',
        409: 'The agent of this name is no administrator, or inactive; or the e-mail is taken',
      },
      handler: async ({ params, body: { username, display_name, email } }) =>
        present(
          await invitations.inviteAdministrator(await workspaces.get(params.id), {
            username,
            ...(display_name !== undefined && { display_name }),
            ...(email !== undefined && { email }),
          }),
        ),
    }),
    endpoint({
      method: 'DELETE',
      path: '/workspaces/:id/administrators/:agent_id/invitation',
      summary: 'End the link of an administrator',
      tag: 'Operator',
      auth: operator,
      params: administratorParams,
      response: { 200: EndedInvitationShape },
      errors: { 404: 'No such workspace or agent, or it has no invitation' },
      handler: async ({ params }) =>
        presentEnded(
          await invitations.revoke(await workspaces.get(params.id), params.agent_id, { byOperator: true }),
        ),
    }),
    endpoint({
      method: 'POST',
      path: '/auth/check-invitation',
      summary: 'Show the agent whose link to set a password it is',
      tag: 'Sessions',
      auth: visitor,
      tier: 'heavy',
      countedApart: true,
      body: CheckInvitation,
      response: {
        200: Type.Object(
          {
            username: Type.String(),
            display_name: Type.String(),
            workspace_title: Type.String(),
            expires_at: Timestamp,
          },
          { title: 'CheckedInvitation' },
        ),
      },
      handler: async ({ workspace, body }) => {
        const { agent, expires_at } = await invitations.check(workspace, body.token)
        return {
          ...{ username: agent.username, display_name: agent.display_name },
          ...{ workspace_title: workspace.title, expires_at: expires_at.toISOString() },
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/auth/accept-invitation',
      summary: 'Set the password with the token of a link, and log in',
      tag: 'Sessions',
      auth: visitor,
      tier: 'heavy',
      countedApart: true,
      body: AcceptInvitation,
      response: { 200: LoggedIn },
      errors: { 400: 'Invalid parameters, or a token that is invalid, expired, used or replaced' },
      handler: async ({ workspace, body: { token, new_password, device_id } }) => {
        const agent = await invitations.accept(workspace, token, new_password)
        const tokens = await auth.logInWith(workspace, agent, device_id)
        const { username, domain, display_name } = await presenter.present(workspace, agent)
        return { tokens, info: { username, domain, display_name } }
      },
    }),
  ]
}

function present({ agent, link, expires_at, sent_to }: Invitation) {
  const { id: agent_id, username } = agent
  return { agent_id, username, link, expires_at: expires_at.toISOString(), sent_to }
}

function presentEnded({ agent_id, created_at, expires_at }: AgentInvitation) {
  return { agent_id, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() }
}
