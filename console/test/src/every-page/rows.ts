/** A workspace with something of everything, so that no page that is opened is an empty one. */
import { resources } from '../../../../server/dist/test/api/endpoint-examples.js'
import { insertCall } from '../../../../server/dist/test/api/call-center-fixtures.js'
import { newActiveNumber, succeed } from '../../../../server/dist/test/api/fixtures.js'
import { startConversation } from '../../../../server/dist/test/api/conversation-fixtures.js'
import { newTextingNumber } from '../../../../server/dist/test/api/message-fixtures.js'
import { insertRecording } from '../../../../server/dist/test/api/recording-fixtures.js'
import type { ConsoleAgent, ConsoleBench } from '../support/console-bench.js'
import { routesOf } from './routes.js'

export interface Rows {
  agent: ConsoleAgent
  supervisor: ConsoleAgent
  workspace: string
  agentId: string
  teamId: string
  numberId: string
  flowId: string
  callId: string
  conversationId: string
  voiceAgentId: string
  evaluationId: string
  messageId: string
  webhookId: string
  deliveryId: string
  pushCredentialId: string
  carrierId: string
  aiProviderId: string
  rateDeckId: string
}

/**
 * Addresses of the pages whose path names a row; every other page is opened by its path alone. `rows` has what
 * {@link fill} has made.
 */
export const addresses: Readonly<Record<string, (rows: Rows) => string>> = {
  '/agents/$id': ({ agentId }) => `/agents/${agentId}`,
  '/teams/$id': ({ teamId }) => `/teams/${teamId}`,
  '/numbers/$id': ({ numberId }) => `/numbers/${numberId}`,
  '/flows/$flowId': ({ flowId }) => `/flows/${flowId}`,
  '/calls/$id': ({ callId }) => `/calls/${callId}`,
  '/history/$callId': ({ callId }) => `/history/${callId}`,
  '/voice-agents/$id': ({ voiceAgentId }) => `/voice-agents/${voiceAgentId}`,
  '/voice-agents/$id/compare': ({ voiceAgentId }) => `/voice-agents/${voiceAgentId}/compare`,
  '/voice-agents/$id/tools': ({ voiceAgentId }) => `/voice-agents/${voiceAgentId}/tools`,
  '/voice-agents/$id/evaluations': ({ voiceAgentId }) => `/voice-agents/${voiceAgentId}/evaluations`,
  '/voice-agents/$id/evaluations/$evaluationId': ({ voiceAgentId, evaluationId }) =>
    `/voice-agents/${voiceAgentId}/evaluations/${evaluationId}`,
  '/voice-agents/$id/talk': ({ voiceAgentId }) => `/voice-agents/${voiceAgentId}/talk`,
  '/messages/$id': ({ messageId }) => `/messages/${messageId}`,
  '/webhooks/$id': ({ webhookId }) => `/webhooks/${webhookId}`,
  '/webhooks/$id/deliveries/$deliveryId': ({ webhookId, deliveryId }) =>
    `/webhooks/${webhookId}/deliveries/${deliveryId}`,
  '/push-credentials/$id': ({ pushCredentialId }) => `/push-credentials/${pushCredentialId}`,
  '/carriers/$id': ({ carrierId }) => `/carriers/${carrierId}`,
  '/ai-providers/$id': ({ aiProviderId }) => `/ai-providers/${aiProviderId}`,
  '/rate-decks/$id': ({ rateDeckId }) => `/rate-decks/${rateDeckId}`,
  '/workspaces/$id': ({ workspace }) => `/workspaces/${workspace}`,
}

export function addressOf(path: string, rows: Rows): string {
  const address = addresses[path]?.(rows) ?? path
  if (address.includes('$')) {
    throw new Error(`add an address for this route in console/test/src/every-page/rows.ts: ${path}`)
  }
  return address
}

/** What is listed on a page of something else, or under another name than its path. */
const parts = [
  '/sip-trunks/acls/{id}',
  '/sip-trunks/gateways/{id}',
  '/opt-outs/{phone_number_id}/{client_number}',
  '/voice-agents/{id}/tools/{toolId}',
  '/voice-agents/{id}/evaluations/scripts/{scriptId}',
]

/** Pages of an admin that list what the API has at the same path; rows with a page of their own are made below. */
const lists = routesOf('admin')
  .filter((path) => !(`${path}/$id` in addresses))
  .map((path) => `${path}/{id}`)
  .filter((path) => path in resources)

export async function fill(bench: ConsoleBench): Promise<Rows> {
  const { appliance, workspace } = bench
  const { api } = workspace
  const make = async (path: string): Promise<Partial<Record<string, string>>> =>
    resources[path]?.(workspace, appliance) ?? {}
  for (const path of [...parts, ...lists]) await make(path)
  const agent = await bench.makeAgent('bela', { display_name: 'Béla Kovács' })
  const supervisor = await bench.makeAgent('sue', { role: 'supervisor', display_name: 'Sue Okafor' })
  const { id: teamId } = await succeed(api.post('/teams', { name: 'Sales' }))
  for (const { id } of [agent, supervisor]) await succeed(api.put(`/teams/${teamId}/agents/${id}`))
  const { id: numberId } = await newActiveNumber(appliance, workspace)
  await succeed(api.patch(`/phone-numbers/${numberId}`, { shared_teams_id: [teamId] }))
  const callId = await insertCall(appliance, workspace, [
    { agent_id: null, role: 'caller' },
    { agent_id: agent.id },
  ])
  await insertRecording(appliance, workspace, { call_id: callId })
  const texting = await newTextingNumber(appliance, workspace)
  const { username, password } = supervisor
  const { tokens } = await succeed(
    api.with({ authorization: undefined }).post('/auth/login', { username, password, device_id: 'a-phone' }),
  )
  const own = api.with({ authorization: `Bearer ${tokens.access_token as string}` })
  await succeed(own.post('/call-center/canned-replies', { title: 'Thanks', body: 'Thank you, {name}!' }))
  const { conversation } = await startConversation({ api: own }, texting.number)
  const flow = await make('/call-flows/{id}')
  const evaluation = await make('/voice-agents/{id}/evaluations/{evaluationId}')
  const delivery = await make('/webhooks/{id}/deliveries/{delivery_id}')
  const idOf = async (path: string) => (await make(path))['id'] ?? ''
  return {
    ...{ agent, supervisor, workspace: workspace.id, agentId: agent.id, teamId, numberId, callId },
    ...{ conversationId: conversation.id, flowId: flow['id'] ?? '' },
    ...{ voiceAgentId: evaluation['id'] ?? '', evaluationId: evaluation['evaluationId'] ?? '' },
    ...{ webhookId: delivery['id'] ?? '', deliveryId: delivery['delivery_id'] ?? '' },
    messageId: await idOf('/messages/{id}'),
    pushCredentialId: await idOf('/push-credentials/{id}'),
    carrierId: await idOf('/carriers/{id}'),
    aiProviderId: await idOf('/ai-providers/{id}'),
    rateDeckId: await idOf('/rate-decks/{id}/rates'),
  }
}
