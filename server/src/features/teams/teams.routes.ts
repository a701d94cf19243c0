import type { AgentPresenter } from '../agents/agent.presenter.js'
import { AgentShape, AgentsOf } from '../agents/agent.schema.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import type { MembershipService } from './membership.service.js'
import type { TeamMember } from './team-member.entity.js'
import type { Team } from './team.entity.js'
import { teamResource } from './team.resource.js'
import { MembershipShape, TeamShape, TeamsOfAgent, membershipParams } from './team.schema.js'
import type { TeamService } from './team.service.js'

const tag = 'Teams'
const read = apiKey('any')
const write = apiKey('full')

interface Services {
  teams: TeamService
  memberships: MembershipService
  agentPresenter: AgentPresenter
}

export function teamEndpoints({ teams, memberships, agentPresenter }: Services) {
  const presenter = {
    presenting: async (teams: readonly Team[], { workspace }: { workspace: Owner }) => {
      const countOf = await memberships.countsOf(workspace, teams)
      return (team: Team) => present(team, countOf(team))
    },
  }
  return [
    ...teamResource.endpoints(teams, presenter),
    endpoint({
      method: 'GET',
      path: '/teams/:id/agents',
      summary: 'List the agents of a team',
      tag,
      auth: read,
      params: idParams,
      query: AgentsOf,
      response: { 200: listOf(AgentShape) },
      errors: { 404: 'No such team' },
      handler: async ({ workspace, params, query }) =>
        listAnswer(
          query,
          await memberships.agentsOf(workspace, params.id, query),
          await agentPresenter.presenting(workspace),
        ),
    }),
    endpoint({
      method: 'GET',
      path: '/agents/:id/teams',
      summary: 'List the teams of an agent',
      tag: 'Agents',
      auth: read,
      params: idParams,
      query: TeamsOfAgent,
      response: { 200: listOf(TeamShape) },
      errors: { 404: 'No such agent' },
      handler: async ({ workspace, params, query }) => {
        const page = await memberships.teamsOf(workspace, params.id, query)
        return listAnswer(query, page, await presenter.presenting(page.rows, { workspace }))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/teams/:id/agents/:agent_id',
      summary: 'Put an agent into a team',
      description: 'Done again it changes nothing, and answers the same.',
      tag,
      auth: write,
      params: membershipParams,
      response: { 200: MembershipShape },
      errors: { 404: 'No such team or agent' },
      handler: async ({ workspace, params }) =>
        presentMember(await memberships.add(workspace, params.id, params.agent_id)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/teams/:id/agents/:agent_id',
      summary: 'Take an agent out of a team',
      tag,
      auth: write,
      params: membershipParams,
      response: { 200: MembershipShape },
      errors: { 404: 'The agent is not in the team' },
      handler: async ({ workspace, params }) =>
        presentMember(await memberships.remove(workspace, params.id, params.agent_id)),
    }),
  ]
}

/** Managers call it `name`, agents call it `title` (contract, Team). */
function present({ title, ...team }: Team, agent_count: number) {
  return { ...withTimes(team), name: title, agent_count }
}

function presentMember({ id, team_id, agent_id, created_at }: TeamMember) {
  return { id, team_id, agent_id, created_at: created_at.toISOString() }
}
