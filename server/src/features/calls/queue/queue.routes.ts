import Type from 'typebox'
import { agent, apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { Id, Timestamp, idParams } from '../../../infrastructure/http/shapes.js'
import { type TeamAccess, managedTeamErrors } from '../../teams/team-access.js'
import type { TeamService } from '../../teams/team.service.js'
import type { QueueStore, WaitingCaller } from './queue-store.js'

const WaitingCallerShape = Type.Object(
  {
    call_id: Type.String(),
    caller: Type.Object({ name: Type.String(), number: Type.String() }),
    position: Type.Integer({ description: '1 for the next caller' }),
    entered_at: Timestamp,
    waiting: Type.Integer({ description: 'Seconds' }),
  },
  { title: 'WaitingCaller' },
)

interface Services {
  teams: TeamService
  access: TeamAccess
  queue: QueueStore
}

const response = { 200: Type.Object({ data: Type.Array(WaitingCallerShape) }) }

export function queueEndpoints({ teams, access, queue }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/teams/:id/queue',
      summary: 'List the callers who wait for a team, oldest first',
      tag: 'Teams',
      auth: apiKey('any'),
      params: idParams,
      response,
      errors: { 404: 'No such team' },
      handler: async ({ workspace, params }) => {
        const team = await teams.get(workspace, params.id)
        return present(await queue.waiting(workspace, team.id))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/teams/:team_id/queue',
      summary: 'List the callers who wait for your team, oldest first',
      tag: 'Call centre',
      auth: agent('leader', 'supervisor'),
      params: Type.Object({ team_id: Id() }),
      response,
      errors: managedTeamErrors,
      handler: async ({ workspace, actor, params }) => {
        const team = await access.manage(workspace, params.team_id, actor)
        return present(await queue.waiting(workspace, team.id))
      },
    }),
  ]
}

function present(callers: readonly WaitingCaller[]) {
  const now = Date.now()
  return {
    data: callers.map(({ call_id, name, number, entered_at }, index) => ({
      ...{ call_id, caller: { name, number }, position: index + 1 },
      entered_at: entered_at.toISOString(),
      waiting: Math.max(0, Math.floor((now - entered_at.getTime()) / 1000)),
    })),
  }
}
