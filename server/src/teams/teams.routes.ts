import type { AgentPresenter } from '../agents/agent-presenter.js'
import { AgentShape, AgentsOf } from '../agents/agent.schema.js'
import type { Owner } from '../database/workspace-table.js'
import { apiKey, endpoint } from '../http/endpoint.js'
import { type ListRequest, type Page, listAnswer, listOf } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { MembershipService } from './membership.service.js'
import type { TeamMember } from './team-member.entity.js'
import type { Team } from './team.entity.js'
import {
  CreateTeam,
  MembershipShape,
  TeamList,
  TeamShape,
  TeamsOfAgent,
  UpdateTeam,
  membershipParams,
} from './team.schema.js'
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
  const listed = async (workspace: Owner, request: ListRequest, page: Page<Team>) => {
    const countOf = await memberships.countsOf(workspace, page.rows)
    return listAnswer(request, page, (team) => present(team, countOf(team)))
  }
  const shown = async (workspace: Owner, team: Team) => {
    const countOf = await memberships.countsOf(workspace, [team])
    return present(team, countOf(team))
  }
  return [
    endpoint({
      method: 'GET',
      path: '/teams',
      summary: 'List teams',
      tag,
      auth: read,
      query: TeamList,
      response: { 200: listOf(TeamShape) },
      handler: async ({ workspace, query }) => listed(workspace, query, await teams.list(workspace, query)),
    }),
    endpoint({
      method: 'GET',
      path: '/teams/:id',
      summary: 'Show a team',
      tag,
      auth: read,
      params: idParams,
      response: { 200: TeamShape },
      errors: { 404: 'No such team' },
      handler: async ({ workspace, params }) => shown(workspace, await teams.get(workspace, params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/teams',
      summary: 'Add a team',
      tag,
      auth: write,
      body: CreateTeam,
      response: { 201: TeamShape },
      errors: {
        403: 'The workspace holds as many teams as it may',
        409: 'The name exists in the workspace',
      },
      handler: async ({ workspace, body }) => present(await teams.create(workspace, body), 0),
    }),
    endpoint({
      method: 'PATCH',
      path: '/teams/:id',
      summary: 'Rename a team',
      tag,
      auth: write,
      params: idParams,
      body: UpdateTeam,
      response: { 200: TeamShape },
      errors: { 404: 'No such team', 409: 'The name exists in the workspace' },
      handler: async ({ workspace, params, body }) =>
        shown(workspace, await teams.update(workspace, params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/teams/:id',
      summary: 'Delete a team with its memberships',
      tag,
      auth: write,
      params: idParams,
      response: { 200: TeamShape },
      errors: { 404: 'No such team', 409: 'The team is in use' },
      handler: async ({ workspace, params }) => {
        const before = await shown(workspace, await teams.get(workspace, params.id))
        await teams.delete(workspace, params.id)
        return before
      },
    }),
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
      handler: async ({ workspace, params, query }) =>
        listed(workspace, query, await memberships.teamsOf(workspace, params.id, query)),
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

function present(team: Team, agent_count: number) {
  const { id, workspace_id, title, created_at, updated_at } = team
  return {
    ...{ id, workspace_id, name: title, agent_count },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

function presentMember({ id, team_id, agent_id, created_at }: TeamMember) {
  return { id, team_id, agent_id, created_at: created_at.toISOString() }
}
