import Type from 'typebox'
import { agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, maxPageSize, pageQuery } from '../../infrastructure/http/lists.js'
import { Id } from '../../infrastructure/http/shapes.js'
import type { MembershipService } from '../teams/membership.service.js'
import { type TeamAccess, managedTeamErrors } from '../teams/team-access.js'
import { AgentStateShape, ChooseState } from './agent-state.schema.js'
import type { AgentStateService } from './agent-state.service.js'

const tag = 'Call centre'
const auth = agent('leader', 'supervisor')

interface Services {
  access: TeamAccess
  memberships: MembershipService
  agentStates: AgentStateService
}

export function teamStateEndpoints({ access, memberships, agentStates }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/teams/:team_id/agents/states',
      summary: 'Show the states of a team’s agents',
      tag,
      auth,
      params: Type.Object({ team_id: Id() }),
      query: pageQuery(maxPageSize),
      response: { 200: listOf(AgentStateShape) },
      errors: managedTeamErrors,
      handler: async ({ workspace, actor, params, query }) => {
        await access.manage(workspace, params.team_id, actor)
        const page = await memberships.activeOf(workspace, params.team_id, query)
        return listAnswer(query, page, await agentStates.showing(workspace, page.rows))
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/call-center/teams/:team_id/agents/:username/state',
      summary: 'Choose the state of an agent of a team',
      description:
        'Same as `PUT /me/state` by the agent, who may choose another state afterwards. The change is recorded in the audit log.',
      tag,
      auth,
      params: Type.Object({ team_id: Id(), username: Id() }),
      body: ChooseState,
      response: { 200: AgentStateShape },
      errors: { ...managedTeamErrors, 404: 'No such team, or no such agent in it' },
      handler: async ({ workspace, actor, params, body }) => {
        await access.manage(workspace, params.team_id, actor)
        const member = await memberships.memberNamed(workspace, params.team_id, params.username)
        return agentStates.choose(workspace, member, body, actor.id)
      },
    }),
  ]
}
