import type { AgentPresenter } from '../agents/agent.presenter.js'
import { agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { CallCenterTeamShape, TeammateShape, presentTeammate } from './call-center.schema.js'
import type { MembershipService } from './membership.service.js'
import { type TeamAccess, managedTeamErrors, teamErrors } from './team-access.js'
import type { TeamMember } from './team-member.entity.js'
import type { TeamPresenter } from './team.presenter.js'
import { MembershipShape, membershipParams } from './team.schema.js'
import type { TeamService } from './team.service.js'

const tag = 'Call centre'

interface Services {
  teams: TeamService
  memberships: MembershipService
  access: TeamAccess
  presenter: TeamPresenter
  agentPresenter: AgentPresenter
}

export function callCenterTeamEndpoints(services: Services) {
  const { teams, memberships, access, presenter, agentPresenter } = services
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/teams',
      summary: 'List the teams of the workspace',
      tag,
      auth: agent(),
      query: pageQuery(10),
      response: { 200: listOf(CallCenterTeamShape) },
      handler: async ({ workspace, query }) => {
        const request = { ...query, sort_field: 'created_at', sort_order: 'desc' } as const
        const page = await teams.list(workspace, request)
        return listAnswer(query, page, await presenter.presenting(workspace, page.rows))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/teams/:id/agents',
      summary: 'List one’s teammates',
      tag,
      auth: agent(),
      params: idParams,
      query: pageQuery(10),
      response: { 200: listOf(TeammateShape) },
      errors: teamErrors,
      handler: async ({ workspace, actor, params, query }) => {
        await access.enter(workspace, params.id, actor)
        const page = await memberships.activeOf(workspace, params.id, query, actor.id)
        const present = await agentPresenter.presenting(workspace, page.rows)
        return listAnswer(query, page, (one) => presentTeammate(present(one)))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/call-center/teams/:id/agents/:agent_id',
      summary: 'Put an agent into one’s team',
      description: 'Done again it changes nothing, and answers the same.',
      tag,
      auth: agent('leader'),
      params: membershipParams,
      response: { 200: MembershipShape },
      errors: { ...managedTeamErrors, 404: 'No such team or agent' },
      handler: async ({ workspace, actor, params }) => {
        await access.manage(workspace, params.id, actor)
        return presentMember(await memberships.add(workspace, params.id, params.agent_id))
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/call-center/teams/:id/agents/:agent_id',
      summary: 'Take an agent out of one’s team',
      tag,
      auth: agent('leader'),
      params: membershipParams,
      response: { 200: MembershipShape },
      errors: { ...managedTeamErrors, 404: 'No such team, or the agent is not in it' },
      handler: async ({ workspace, actor, params }) => {
        await access.manage(workspace, params.id, actor)
        return presentMember(await memberships.remove(workspace, params.id, params.agent_id))
      },
    }),
  ]
}

function presentMember({ id, team_id, agent_id, created_at }: TeamMember) {
  return { id, team_id, agent_id, created_at: created_at.toISOString() }
}
