import Type from 'typebox'
import { apiKey, endpoint } from '../../http/endpoint.js'
import { Timestamp, idParams } from '../../http/shapes.js'
import type { TeamService } from '../../teams/team.service.js'
import type { QueueStore } from './queue-store.js'

const WaitingCallerShape = Type.Object(
  {
    call_id: Type.String(),
    caller: Type.Object({ name: Type.String(), number: Type.String() }),
    position: Type.Integer({ description: '1 for who is next' }),
    entered_at: Timestamp,
    waiting: Type.Integer({ description: 'Seconds' }),
  },
  { title: 'WaitingCaller' },
)

interface Services {
  teams: TeamService
  queue: QueueStore
}

export function queueEndpoints({ teams, queue }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/teams/:id/queue',
      summary: 'List the callers who wait for a team, first come first',
      tag: 'Teams',
      auth: apiKey('any'),
      params: idParams,
      response: { 200: Type.Object({ data: Type.Array(WaitingCallerShape) }) },
      errors: { 404: 'No such team' },
      handler: async ({ workspace, params }) => {
        const team = await teams.get(workspace, params.id)
        const callers = await queue.waiting(workspace, team.id)
        const now = Date.now()
        return {
          data: callers.map(({ call_id, name, number, entered_at }, index) => ({
            ...{ call_id, caller: { name, number }, position: index + 1 },
            entered_at: entered_at.toISOString(),
            waiting: Math.max(0, Math.floor((now - entered_at.getTime()) / 1000)),
          })),
        }
      },
    }),
  ]
}
