import { agent, apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { LiveBoardShape } from './live-board.schema.js'
import type { LiveBoard } from './live-board.js'

const description = 'Agents with their states, and calls with their agents, supervisors and waiting callers. '

export function liveBoardEndpoints({ liveBoard }: { liveBoard: LiveBoard }) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/live',
      summary: 'Show live calls and agents of your own teams',
      description: `${description}Changes follow on the event stream, as \`live.calls\` and \`workspace.agent.state\`.`,
      tag: 'Call centre',
      auth: agent('leader', 'supervisor'),
      response: { 200: LiveBoardShape },
      handler: async ({ workspace, actor }) => liveBoard.ofTeamsOf(workspace, actor.id),
    }),
    endpoint({
      method: 'GET',
      path: '/live',
      summary: 'Show live calls and agents of the workspace',
      description: `${description}Includes those without a team.`,
      tag: 'Calls',
      auth: apiKey('any'),
      response: { 200: LiveBoardShape },
      handler: async ({ workspace }) => liveBoard.ofAll(workspace),
    }),
  ]
}
