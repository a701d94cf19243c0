import type { AgentPresenter } from '../agents/agent.presenter.js'
import { AgentShape } from '../agents/agent.schema.js'
import type { AgentService } from '../agents/agent.service.js'
import { maxAvatarBytes } from '../agents/avatars.js'
import { agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import { listAnswer, listOf, pageQuery } from '../../infrastructure/http/lists.js'
import type { Mailer } from '../../infrastructure/mail/mailer.js'
import { AgentStateShape, AwayReasonsShape, ChooseState } from '../presence/agent-state.schema.js'
import type { AgentStateService } from '../presence/agent-state.service.js'
import { CallCenterTeamShape } from '../teams/call-center.schema.js'
import type { MembershipService } from '../teams/membership.service.js'
import type { TeamPresenter } from '../teams/team.presenter.js'
import { ChangeOwnPassword, MeShape, UpdateMe } from './me.schema.js'
import type { MeService } from './me.service.js'

const tag = 'Me'
const auth = agent()

interface Services {
  me: MeService
  agents: AgentService
  presenter: AgentPresenter
  memberships: MembershipService
  teamPresenter: TeamPresenter
  agentStates: AgentStateService
  mailer: Pick<Mailer, 'isConfigured'>
}

export function meEndpoints(services: Services) {
  const { me, agents, presenter, memberships, teamPresenter, agentStates, mailer } = services
  return [
    endpoint({
      method: 'GET',
      path: '/me',
      summary: 'Show who is logged in',
      tag,
      auth,
      response: { 200: MeShape },
      handler: async ({ workspace, actor }) => ({
        ...(await presenter.present(workspace, await agents.get(workspace, actor.id))),
        workspace_title: workspace.title,
        has_mail: mailer.isConfigured,
      }),
    }),
    endpoint({
      method: 'PATCH',
      path: '/me',
      summary: 'Change one’s own account',
      description:
        'Another e-mail needs `current_password`. The old address gets a notice of the change and, for 24 hours, password resets too.',
      tag,
      auth,
      body: UpdateMe,
      response: { 200: AgentShape },
      errors: { 409: 'The e-mail exists in the workspace' },
      handler: async ({ workspace, actor, body }) =>
        presenter.present(workspace, await me.update(workspace, actor, body)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/me/avatar',
      summary: 'Upload one’s own picture',
      description: 'As `PATCH /agents/:id/avatar` takes it.',
      tag,
      auth,
      tier: 'heavy',
      upload: { field: 'file', maxBytes: maxAvatarBytes },
      response: { 200: AgentShape },
      errors: { 403: 'The workspace keeps as many files as it may' },
      handler: async ({ workspace, actor, file }) => {
        if (!file) throw invalidField('file', 'file is required, as multipart/form-data with its MIME type')
        return presenter.present(workspace, await agents.setAvatar(workspace, actor.id, file))
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/me/avatar',
      summary: 'Remove one’s own picture',
      tag,
      auth,
      response: { 200: AgentShape },
      handler: async ({ workspace, actor }) =>
        presenter.present(workspace, await agents.update(workspace, actor.id, { avatar: null })),
    }),
    endpoint({
      method: 'PATCH',
      path: '/me/password',
      summary: 'Change one’s own password',
      description:
        'The agent is logged out on all other devices, and their softphones have to register again.',
      tag,
      auth,
      tier: 'heavy',
      countedApart: true,
      body: ChangeOwnPassword,
      response: { 200: AgentShape },
      handler: async ({ workspace, actor, body }) =>
        presenter.present(workspace, await me.changePassword(workspace, actor, body)),
    }),
    endpoint({
      method: 'GET',
      path: '/me/teams',
      summary: 'List one’s own teams',
      tag,
      auth,
      query: pageQuery(10),
      response: { 200: listOf(CallCenterTeamShape) },
      handler: async ({ workspace, actor, query }) => {
        const request = { ...query, sort_field: 'created_at', sort_order: 'desc' } as const
        const page = await memberships.teamsOf(workspace, actor.id, request)
        return listAnswer(query, page, await teamPresenter.presenting(workspace, page.rows))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/me/state',
      summary: 'Show one’s own state',
      tag,
      auth,
      response: { 200: AgentStateShape },
      handler: async ({ workspace, actor }) =>
        agentStates.show(workspace, await agents.get(workspace, actor.id)),
    }),
    endpoint({
      method: 'PUT',
      path: '/me/state',
      summary: 'Choose whether one takes calls',
      description:
        '`busy` and `offline`: no call rings, however it reaches the agent. `available`: calls ring, and the state follows from them. The last choice counts, whether the agent or somebody else made it.',
      tag,
      auth,
      body: ChooseState,
      response: { 200: AgentStateShape },
      handler: async ({ workspace, actor, body }) =>
        agentStates.choose(workspace, await agents.get(workspace, actor.id), body, actor.id),
    }),
    endpoint({
      method: 'GET',
      path: '/me/away-reasons',
      summary: 'List why one may be away',
      description: 'What `reason` of `PUT /me/state` may be: the workspace’s `away_reasons`.',
      tag,
      auth,
      response: { 200: AwayReasonsShape },
      handler: async ({ workspace }) => ({ away_reasons: [...(await agentStates.awayReasons(workspace))] }),
    }),
  ]
}
