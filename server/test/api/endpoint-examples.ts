/**
 * What tests need to call any endpoint: something that its path speaks of, and a body that it accepts.
 * Every endpoint has its entry here; one without makes the suite of every endpoint fail.
 */
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { png } from '../support/pictures.js'
import {
  acl,
  agentInput,
  audio,
  callFlow,
  contact,
  customTool,
  extensionInput,
  gatewayInput,
  keyRights,
  newAcl,
  newActiveNumber,
  newAddressBook,
  newAgent,
  newPerson,
  personOf,
  newAudio,
  newCall,
  newCallFlow,
  newExtension,
  newContact,
  newDelivery,
  newGateway,
  newNumber,
  verificationLine,
  newSipAccount,
  newVoiceAgent,
  newName,
  newTeam,
  newWebhook,
  numberInput,
  sipAccountInput,
  succeed,
  teamInput,
  voiceAgent,
  webhook,
} from './fixtures.js'
import { query } from './database.js'
import { newProvider, providerInput } from './ai-provider-fixtures.js'
import { newCarrier, smppCarrier } from './carrier-fixtures.js'
import { insertCall, insertMissedCall, teamOfAll } from './call-center-fixtures.js'
import { newConversation } from './conversation-fixtures.js'
import { client, newTextingNumber, sendText } from './message-fixtures.js'
import type { Operation } from './operations.js'
import { iosCredential } from './push-fixtures.js'
import { insertRecording, startRecording } from './recording-fixtures.js'
import { insertConversation, noneRunning, script, textModel } from './voice-agent-fixtures.js'
import { resetToken } from './token-forge.js'

export type Params = Record<string, string>

const rateFile = multipart(
  {},
  { name: 'rates.csv', content: Buffer.from('prefix,price\n44,0.01\n'), type: 'text/csv' },
)

/** A file to import. */
const rowsFile = (...lines: string[]) =>
  multipart({}, { name: 'rows.csv', content: Buffer.from(`${lines.join('\n')}\n`), type: 'text/csv' })

const picture = multipart({}, { name: 'me.png', content: png, type: 'image/png' })

const ownKey = { api_key: 'key-of-the-workspace' }

const triedCall = {
  ...{ caller_number: '+12025550100', called_number: '+12025550199', time: '2026-11-20T09:00:00Z' },
  ...{ keys: ['1', null], contact: { name: 'Zoe' }, outcomes: {}, actions: {}, seed: 7 },
}

const cannedReply = { title: 'Thanks', body: 'Thank you, {name}!' }

const pushToken = { push_token: 'fcm-token', device_id: 'a1b2c3d4e5f60718', platform: 'android' }

/** Makes what an endpoint's path speaks of, in a workspace; by path, or by operation where another one of it needs more. */
export const resources: Record<string, (workspace: TestWorkspace, appliance: Appliance) => Promise<Params>> =
  {
    '/workspaces/{id}': async (_, appliance) => ({ id: (await appliance.workspace({ credit: 0 })).id }),
    '/workspaces/{id}/credit': async (_, appliance) => ({
      id: (await appliance.workspace({ credit: 0 })).id,
    }),
    '/workspaces/{id}/credit/check': async ({ id }) => ({ id }),
    '/workspaces/{id}/entries': async ({ id }) => ({ id }),
    '/workspaces/{id}/administrators': async ({ id }) => ({ id }),
    '/workspaces/{id}/administrators/{agent_id}/invitation': async (workspace) => ({
      id: workspace.id,
      agent_id: await anInvited(workspace),
    }),
    '/agents/{id}/invitation': async (workspace) => ({ id: await anInvited(workspace) }),
    '/workspaces/{id}/usage/export': async ({ id }) => ({ id }),
    '/workspaces/{id}/credit/entries': async (_, appliance) => ({
      id: (await appliance.workspace({ credit: 0 })).id,
    }),
    '/workspaces/{id}/phone-numbers': async ({ id }) => ({ id }),
    '/workspaces/{workspace_id}/phone-numbers/{id}': operatorsNumber,
    '/workspaces/{workspace_id}/calls/{id}/sip.pcap': async (workspace) => ({
      ...(await aCall(workspace)),
      workspace_id: workspace.id,
    }),
    '/workspaces/{workspace_id}/phone-numbers/{id}/activate': operatorsNumber,
    '/workspaces/{workspace_id}/phone-numbers/{id}/carriers': operatorsNumber,
    '/workspaces/{workspace_id}/phone-numbers/{id}/originators': operatorsNumber,
    '/operator/cells/{name}/drain': aCell,
    '/operator/gateways/{id}': async ({ api }) => ({ id: await newGateway(api) }),
    '/rate-decks/{id}': aRateDeck,
    '/rate-decks/{id}/rates': aRateDeck,
    '/rate-decks/{id}/rates.csv': aRateDeck,
    '/workspaces/{id}/rates/{number}': async ({ id }) => ({ id, number: '+12025550100' }),
    '/carriers/{id}': aCarrier,
    '/carriers/{id}/status': aCarrier,
    '/api-keys/{sid}': async ({ api }) => ({ sid: (await succeed(api.post('/api-keys', keyRights))).sid }),
    '/agents/{id}': anAgent,
    '/agents/{id}/avatar': anAgent,
    '/agents/{id}/password': anAgent,
    '/agents/{id}/teams': anAgent,
    '/teams/{id}': aTeam,
    '/teams/{id}/agents': aTeam,
    '/teams/{id}/queue': aTeam,
    '/teams/{id}/agents/{agent_id}': aMembership,
    '/me/sessions/{id}': aSession,
    '/sip-trunks/acls/{id}': async ({ api }) => ({ id: await newAcl(api) }),
    '/sip-trunks/gateways/{id}': async ({ api }) => ({ id: await newGateway(api) }),
    '/phone-numbers/{id}': async ({ api }) => ({ id: await newNumber(api) }),
    '/phone-numbers/{id}/originators': async ({ api }) => ({ id: await newNumber(api) }),
    '/phone-numbers/{id}/verification': async ({ api }, appliance) => {
      await verificationLine(appliance)
      return { id: await newNumber(api) }
    },
    '/phone-numbers/{id}/verification/check': async (workspace, appliance) => ({
      id: (await newActiveNumber(appliance, workspace)).id,
    }),
    '/extensions/{id}': async ({ api }) => ({ id: await newExtension(api) }),
    '/sip-accounts/{id}': async ({ api }) => ({ id: await newSipAccount(api) }),
    '/audios/{id}': async ({ api }) => ({ id: await newAudio(api) }),
    '/audios/{id}/content': async ({ api }) => ({ id: await newAudio(api) }),
    '/contacts/{id}': async ({ api }) => ({ id: await newContact(api) }),
    '/address-books/{id}': async ({ api }) => ({ id: await newAddressBook(api) }),
    '/opt-outs/{phone_number_id}/{client_number}': async ({ api }) => {
      const optOut = { phone_number_id: await newNumber(api), client_number: '+12025550199' }
      await succeed(api.post('/opt-outs', optOut))
      return optOut
    },
    '/call-flows/{id}': async ({ api }) => ({ id: await newCallFlow(api) }),
    '/call-flows/{id}/talk': async ({ api }) => ({ id: await newCallFlow(api) }),
    '/call-flows/{id}/draft': async ({ api }) => aFlowDraft(api),
    '/call-flows/{id}/publish': async ({ api }) => aFlowDraft(api),
    '/call-flows/{id}/simulate': async ({ api }) => ({ id: await newCallFlow(api) }),
    '/call-flows/{id}/versions': async ({ api }) => ({ id: await newCallFlow(api) }),
    '/call-flows/{id}/versions/{version}': async ({ api }) => ({ id: await newCallFlow(api), version: '1' }),
    '/ai-providers/{id}': aProvider,
    '/ai-providers/{id}/test': aProvider,
    'PUT /voice-agents/providers/{id}/key': aProvider,
    '/voice-agents/providers/{id}/key': async (workspace, appliance) => {
      const params = await aProvider(workspace, appliance)
      await succeed(workspace.api.put(`/voice-agents/providers/${params['id']}/key`, ownKey))
      return params
    },
    '/voice-agents/{id}': aVoiceAgent,
    '/voice-agents/{id}/versions': aVoiceAgent,
    '/voice-agents/{id}/settings': aVoiceAgent,
    '/voice-agents/{id}/publish': aVoiceAgent,
    '/voice-agents/{id}/version': aVoiceAgent,
    '/voice-agents/{id}/version/{version}': async (workspace) => {
      const { id } = await aVoiceAgent(workspace)
      const { version } = await succeed(workspace.api.post(`/voice-agents/${id}/version`))
      return { id, version: String(version) }
    },
    '/voice-agents/{id}/talk': aVoiceAgent,
    '/voice-agents/{id}/tools': aVoiceAgent,
    '/voice-agents/{id}/tools/{toolId}': async (workspace) => {
      const { id } = await aVoiceAgent(workspace)
      const tool = await succeed(workspace.api.post(`/voice-agents/${id}/tools`, customTool))
      return { id, toolId: tool.id }
    },
    '/voice-agents/{id}/evaluations/scripts': aVoiceAgent,
    '/voice-agents/{id}/evaluations/scripts/{scriptId}': async (workspace) => {
      const { id } = await aVoiceAgent(workspace)
      const made = await succeed(workspace.api.post(`/voice-agents/${id}/evaluations/scripts`, script))
      return { id, scriptId: made.id }
    },
    '/voice-agents/{id}/evaluations': aVoiceAgent,
    '/voice-agents/{id}/evaluations/{evaluationId}': async (workspace) => {
      const { id } = await aVoiceAgent(workspace)
      await noneRunning(workspace)
      const evaluation = { version: 1, scripts: [script] }
      const started = await succeed(workspace.api.post(`/voice-agents/${id}/evaluations`, evaluation))
      return { id, evaluationId: started.id }
    },
    '/me/devices/{device_id}': async (workspace) => {
      const { api } = await personOf(workspace, 'supervisor')
      await succeed(api.post('/me/devices/voip-push-token', pushToken))
      return { device_id: pushToken.device_id }
    },
    '/push-credentials/{id}': async (workspace) => ({
      id: (await succeed(workspace.api.post('/push-credentials', await pushCredential(workspace)))).id,
    }),
    '/push-credentials/{id}/test': async (workspace) => ({
      id: (await succeed(workspace.api.post('/push-credentials', await pushCredential(workspace)))).id,
    }),
    '/webhooks/{id}': aWebhook,
    '/webhooks/{id}/rotate-secret': aWebhook,
    '/webhooks/{id}/resend-failed': aWebhook,
    '/webhooks/{id}/test': aWebhook,
    '/webhooks/{id}/deliveries': aWebhook,
    '/webhooks/{id}/deliveries/{delivery_id}': async ({ api }) => newDelivery(api),
    '/webhooks/{id}/deliveries/{delivery_id}/resend': async ({ api }) => newDelivery(api),
    '/calls/{id}': aCall,
    'DELETE /calls/{id}': async (workspace, appliance) => ({
      id: await insertCall(appliance, workspace, []),
    }),
    '/calls/{id}/events': aCall,
    '/calls/{id}/actions': anAnsweredCall,
    '/calls/{id}/hangup': aCall,
    '/calls/{id}/recordings': aCall,
    '/calls/{id}/transcript': aCall,
    '/messages/{id}': aMessage,
    'DELETE /messages/{id}': aDeliveredMessage,
    '/messages/media/{id}': async ({ api }) => ({
      id: (await succeed(api.request('POST', '/messages/media', { raw: picture }))).id,
    }),
    '/recordings/{id}': aRecording,
    '/recordings/{id}/content': aRecording,
    '/recordings/{id}/pause': aRunningRecording,
    '/recordings/{id}/resume': aRunningRecording,
    '/call-center/phone-numbers/{id}': async (workspace, appliance) => ({
      id: (await newActiveNumber(appliance, workspace)).id,
    }),
    '/call-center/teams/{id}/agents': async (workspace) => ({ id: await teamOfAll(workspace) }),
    '/call-center/teams/{id}/agents/{agent_id}': async (workspace) => {
      const [id, agent_id] = [await teamOfAll(workspace), await newAgent(workspace.api)]
      await succeed(workspace.api.put(`/teams/${id}/agents/${agent_id}`))
      return { id, agent_id }
    },
    '/call-center/teams/{team_id}/agents/states': teamOfPeople,
    '/call-center/teams/{team_id}/agents/{username}/state': async (workspace) => ({
      ...(await teamOfPeople(workspace)),
      username: (await personOf(workspace, 'member')).username,
    }),
    '/call-center/teams/{team_id}/call-history': teamOfPeople,
    '/call-center/teams/{team_id}/queue': teamOfPeople,
    '/call-center/teams/{team_id}/contacts': teamOfPeople,
    '/call-center/calls/{call_id}/reject': aWaitingCall,
    '/call-center/calls/{id}/recordings/{recording_id}/content': async (workspace, appliance) => {
      const { id: agent_id } = await personOf(workspace, 'supervisor')
      const id = await insertCall(appliance, workspace, [{ agent_id }])
      return { id, recording_id: (await insertRecording(appliance, workspace, { call_id: id })).id }
    },
    '/call-center/calls/{id}/recordings': aCallOfAnAgent,
    '/call-center/calls/{id}/recordings/{recording_id}/pause': anAgentsRecordedTalk,
    '/call-center/calls/{id}/recordings/{recording_id}/resume': anAgentsRecordedTalk,
    '/call-center/calls/{id}': aCallOfAnAgent,
    '/call-center/calls/{id}/transcript': aCallOfAnAgent,
    '/call-center/missed-calls/{id}/handled': aMissedCall,
    '/call-center/voicemails/{id}/content': aVoicemail,
    '/call-center/voicemails/{id}/heard': aVoicemail,
    '/call-center/voicemails/{id}/done': aVoicemail,
    '/call-center/calls/{call_id}/listen': anAgentsTalk,
    '/call-center/calls/{call_id}/whisper': anAgentsTalk,
    '/call-center/calls/{call_id}/barge': anAgentsTalk,
    '/call-center/calls/{call_id}/supervision': anAgentsTalk,
    '/call-center/calls/{call_id}/transfer': async (workspace) => aTalk(workspace),
    '/call-center/conversations/{id}': aConversation,
    '/conversations/{id}': aQuietConversation,
    '/erasures/{id}': async ({ api }) => ({
      id: (await succeed(api.post('/erasures', { number: '+12025550142' }))).id,
    }),
    '/call-center/media/{id}': async (workspace) => {
      const { api } = await personOf(workspace, 'supervisor')
      return { id: (await succeed(api.request('POST', '/call-center/media', { raw: picture }))).id }
    },
    '/call-center/agents/{id}': async ({ api }) => ({ id: await newAgent(api) }),
    '/call-center/conversations/{id}/messages': aConversation,
    '/call-center/conversations/{id}/read': aConversation,
    '/call-center/conversations/{id}/notes': aConversation,
    '/call-center/conversations/{id}/notes/{note_id}': async (workspace) => {
      const { api } = await personOf(workspace, 'supervisor')
      const id = await newConversation(workspace)
      const note = await succeed(api.post(`/call-center/conversations/${id}/notes`, { body: 'Call back' }))
      return { id, note_id: note.id }
    },
    '/call-center/canned-replies/{id}': async (workspace) => {
      const { api } = await personOf(workspace, 'supervisor')
      return { id: (await succeed(api.post('/call-center/canned-replies', cannedReply))).id }
    },
    'DELETE /call-center/calls/{call_id}/transfer': aTransfer,
    '/call-center/calls/{call_id}/transfer/complete': aTransfer,
    '/call-center/calls/{call_id}/transfer/three-way': aConsultation,
  }

const retentionDays = {
  ...{ call_retention_days: 90, message_retention_days: 90, recording_retention_days: 90 },
  ...{ ledger_retention_days: 365, webhook_delivery_retention_days: 14, audit_log_retention_days: 365 },
}

/** A body that every endpoint which takes one accepts; by operation. */
export const bodies: Record<string, (workspace: TestWorkspace) => Promise<unknown>> = {
  'POST /workspaces': async () => ({
    id: `made-${Date.now().toString(36)}`,
    title: 'Made',
    country_code: 'US',
  }),
  'PATCH /workspaces/{id}': async () => ({
    ...{ title: 'Acme', country_code: 'CA', max_concurrent_calls: 30, max_calls_per_second: null },
    ...{ allowed_countries: ['CA', 'US'], call_recording: false, call_internal_recording: true },
    ...{ ...retentionDays, max_storage_mb: 1_000 },
  }),
  'POST /workspaces/{id}/credit': async () => ({ amount: 1.5, note: 'Thanks' }),
  'PATCH /workspaces/{workspace_id}/phone-numbers/{id}': async () => ({
    status: 'active',
    capabilities: ['voice'],
    ...{ fee_per_month: 1, fee_per_mins_call: 0.02, fee_per_segment: 0.02, fee_per_mms: 0.05 },
  }),
  'PUT /workspaces/{workspace_id}/phone-numbers/{id}/carriers': async () => ({ carrier_ids: [] }),
  'PUT /workspaces/{workspace_id}/phone-numbers/{id}/originators': async () => ({
    originators: [`S${Math.random().toString(36).slice(2, 10)}`],
  }),
  'POST /rate-decks': async () => ({ title: 'Retail', is_default: false }),
  'PATCH /rate-decks/{id}': async () => ({ title: 'Wholesale' }),
  'PATCH /operator/gateways/{id}': async () => ({ is_approved: true }),
  'PUT /operator/log-level': async () => ({ part: 'edge', level: 'warn', minutes: 1 }),
  'POST /carriers': async () => ({ ...smppCarrier, is_active: false, window_size: 5, throughput: 50 }),
  'PATCH /carriers/{id}': async () => ({
    ...{ title: 'Changed', settings: { port: 2776 }, is_active: false, window_size: 6, throughput: 60 },
  }),
  'POST /ai-providers': async () => providerInput({ price_per_minute: 0.06, is_active: true }),
  'PATCH /ai-providers/{id}': async () =>
    providerInput({ kind: undefined, price_per_minute: 0.05, is_active: false }),
  'PUT /voice-agents/providers/{id}/key': async () => ownKey,
  'PATCH /profile': async () => ({ title: 'Acme', country_code: 'CA', ...retentionDays }),
  'POST /erasures': async () => ({ number: '+12025550142' }),
  'POST /api-keys': async () => ({ ...keyRights, title: 'Backend' }),
  'POST /agents': async () => ({ ...agentInput(), ...agentChanges() }),
  'PATCH /agents/{id}': async () => agentChanges(),
  'PATCH /agents/{id}/password': async () => ({ password: 'battery staple' }),
  'POST /auth/login': async (workspace) => {
    const { username, password } = await personOf(workspace, 'member')
    return { username, password, device_id: 'another-device' }
  },
  'POST /auth/verify': async (workspace) => {
    const { api } = await personOf(workspace, 'member')
    return { token: api.authorization!.slice('Bearer '.length) }
  },
  'POST /auth/refresh': async (workspace) => {
    const { refresh_token, device_id } = await newPerson(workspace)
    return { refresh_token, device_id }
  },
  'POST /auth/check-username': async ({ api }) => {
    const input = agentInput()
    await succeed(api.post('/agents', { ...input, email: `${input.username}@example.com` }))
    return { username: input.username }
  },
  'POST /auth/forgot-password': async () => ({ username: newName(), email: 'jane@example.com' }),
  'POST /auth/reset-password': async (workspace) => ({
    token: await resetToken(workspace, await newAgent(workspace.api)),
    new_password: 'battery staple',
  }),
  'POST /workspaces/{id}/administrators': async () => ({
    ...{ username: newName(), display_name: 'Jane Roe', email: null },
  }),
  'POST /auth/check-invitation': async (workspace) => ({ token: await invitationToken(workspace) }),
  'POST /auth/accept-invitation': async (workspace) => ({
    ...{ token: await invitationToken(workspace), new_password: 'battery staple', device_id: 'browser' },
  }),
  'POST /auth/enter': async (workspace) => ({ token: await entryToken(workspace) }),
  'POST /auth/leave': async (workspace) => ({ token: await entryToken(workspace) }),
  'POST /teams': async () => teamInput(),
  'PATCH /teams/{id}': async () => teamInput(),
  'POST /sip-trunks/acls': async () => acl,
  'PATCH /sip-trunks/acls/{id}': async () => acl,
  'POST /sip-trunks/gateways': async ({ api }) => ({
    ...gatewayInput(api),
    credential: { username: 'me', password: 'x' },
  }),
  'PATCH /sip-trunks/gateways/{id}': async ({ api }) => ({
    ...gatewayInput(api),
    media_encryption: 'none',
    codecs: ['PCMA', 'PCMU'],
    options_ping: true,
    forwarded_calls: 'history_info',
    forwarded_caller: 'own',
    short_numbers: ['411', '116117'],
    credential: { username: 'me', password: 'x' },
  }),
  'PATCH /message-settings': async () => ({
    stop_words: ['no more'],
    stop_reply: 'Good bye from {{number}}',
    help_reply: null,
  }),
  'POST /opt-outs': async ({ api }) => ({
    ...{ phone_number_id: await newNumber(api), client_number: '+12025550199' },
  }),
  'POST /phone-numbers/connect': async ({ api }) => numberInput(api),
  'POST /phone-numbers/{id}/verification': async () => ({ channel: 'call' }),
  'POST /phone-numbers/{id}/verification/check': async () => ({ code: '123456' }),
  'PATCH /phone-numbers/{id}': async () => ({
    title: 'Second line',
    shared_teams_id: [],
    call_flow_id: null,
    record_outbound: true,
  }),
  'POST /extensions': async ({ api }) => extensionInput(api),
  'PATCH /extensions/{id}': async ({ api }) => extensionInput(api),
  'POST /sip-accounts': async () => ({ ...sipAccountInput(), outbound_caller_id: null }),
  'PATCH /sip-accounts/{id}': async () => ({
    title: 'Front desk',
    password: 'battery staple',
    outbound_caller_id: '',
    max_concurrent_calls: 2,
  }),
  'POST /audios': async () => audio,
  'PATCH /audios/{id}': async () => ({ title: 'Renamed' }),
  'POST /contacts': async ({ api }) => ({
    ...contact,
    email: 'zoe@example.com',
    notes: 'Calls on Mondays',
    custom_fields: { customer: '42' },
    address_book_id: await newAddressBook(api),
  }),
  'PATCH /contacts/{id}': async () => ({ name: 'Zoe B.' }),
  'POST /address-books': async () => ({ title: 'Customers', shared_teams_id: [] }),
  'PATCH /address-books/{id}': async () => ({ title: 'Suppliers' }),
  'POST /call-flows': async () => callFlow,
  'POST /call-flows/check': async () => ({ nodes: callFlow.nodes }),
  'POST /call-flows/simulate': async () => ({
    ...{ trigger_type: callFlow.trigger_type, nodes: callFlow.nodes, ...triedCall },
  }),
  'POST /call-flows/{id}/simulate': async () => triedCall,
  'PUT /call-flows/{id}/draft': async () => ({
    nodes: [
      { id: 'start', type: 'start' },
      { id: 'ask', type: 'menu' },
    ],
  }),
  'POST /call-flows/{id}/publish': async () => ({}),
  'PATCH /call-flows/{id}': async () => ({ ...callFlow, title: 'Night menu' }),
  'POST /voice-agents': async (workspace) => {
    await makeRoom(workspace.api, '/voice-agents')
    return { ...voiceAgent, ...(await insertConversation(workspace)) }
  },
  'POST /voice-agents/instructions': async (workspace) => {
    await textModel(workspace.appliance)
    return { prompt: 'Answers for a dentist.', ...(await insertConversation(workspace)) }
  },
  'POST /voice-agents/{id}/evaluations/scripts': async () => ({ ...script, name: newName() }),
  'PATCH /voice-agents/{id}/evaluations/scripts/{scriptId}': async () => ({ ...script, name: newName() }),
  'POST /voice-agents/{id}/evaluations': async (workspace) => {
    await noneRunning(workspace)
    return { version: 1, scripts: [script] }
  },
  'PATCH /voice-agents/{id}': async () => ({ name: 'Support' }),
  'PATCH /voice-agents/{id}/settings': async () => ({
    ...{ version: 1, greeting_message: 'Hello', instructions: voiceAgent.instructions },
    ...{ model_id: 'gpt-realtime', voice_id: 'nova', temperature: 0.6, enable_noise_reduction: false },
    ...{ turn_detection: 'semantic_vad', turn_eagerness: 'low', turn_threshold: 0.6, turn_silence_ms: 700 },
    ...{ language: 'de-CH', enable_dtmf: false, tool_delay_message: 'One second.' },
    ...{ interruption_ms: 400, ignore_backchannels: false, max_call_duration_seconds: 60, functions: [] },
  }),
  'PATCH /voice-agents/{id}/publish': async () => ({ version: 1 }),
  'POST /voice-agents/{id}/talk': async () => ({ version: 1 }),
  'POST /voice-agents/{id}/tools': async () => ({ ...customTool, tool_type: 'custom' }),
  'PATCH /voice-agents/{id}/tools/{toolId}': async () => customTool,
  'POST /me/devices/voip-push-token': async () => pushToken,
  'POST /me/devices/notification-push-token': async () => ({
    ...pushToken,
    notification_push_provider: 'fcm',
  }),
  'POST /push-credentials': pushCredential,
  'PATCH /push-credentials/{id}': async () => ({ name: 'Renamed' }),
  'POST /webhooks': async () => webhook,
  'POST /webhooks/{id}/rotate-secret': async () => ({ previous_valid_for: 3_600 }),
  'PATCH /webhooks/{id}': async () => ({ ...webhook, is_active: true }),
  'POST /calls/make': async () => ({
    to: { number: '+12025550100', name: 'Test line' },
    max_duration: 5,
    actions: [{ action: 'hangup', params: {}, continue: true, auto_answer: true }],
  }),
  'POST /messages/send': async (workspace) => ({
    from: (await newTextingNumber(workspace.appliance, workspace)).number,
    ...{ to: client, body: 'Hello', media_urls: [] },
  }),
  'PUT /calls/{id}/actions': async () => ({ actions: [{ action: 'hangup' }] }),
  'POST /me/logout': async () => ({ device_id: 'another-device' }),
  'PATCH /me': async (workspace) => ({
    ...{ display_name: 'Jane Roe', email: `${newName()}@example.com`, country_code: 'DE' },
    current_password: (await personOf(workspace, 'supervisor')).password,
  }),
  'PATCH /me/password': async (workspace) => {
    const { password } = await personOf(workspace, 'supervisor')
    return { current_password: password, new_password: password }
  },
  'POST /call-center/calls/make': async () => ({ to: '+12025550100', from: '', type: 'audio' }),
  'POST /call-center/calls/{call_id}/reject': async () => ({ reason: 'busy' }),
  'PUT /me/state': async () => ({ state: 'busy' }),
  'POST /call-center/calls/{call_id}/transfer': async (workspace) => ({
    ...{ target: await neverAnswers(workspace), reason: 'Wants a discount' },
  }),
  'POST /call-center/conversations': async (workspace) => ({
    from: (await newTextingNumber(workspace.appliance, workspace)).number,
    ...{ client_number: client, body: 'Hello', media_urls: [] },
  }),
  'POST /call-center/conversations/{id}/messages': async () => ({ body: 'Hello', media_urls: [] }),
  'PATCH /call-center/conversations/{id}': async (workspace) => ({
    ...{ status: 'closed', assigned_team_id: await newTeam(workspace.api) },
    assigned_agent_id: (await personOf(workspace, 'member')).id,
  }),
  'POST /call-center/conversations/{id}/notes': async () => ({ body: 'Calls back on Monday' }),
  'POST /call-center/canned-replies': async () => cannedReply,
  'PATCH /call-center/canned-replies/{id}': async () => cannedReply,
  'PUT /call-center/teams/{team_id}/agents/{username}/state': async () => ({ state: 'offline' }),
}

/** What is sent to endpoints that take a file and no JSON; by operation. */
export const uploads: Record<string, { type: string; content: Buffer }> = {
  'PATCH /agents/{id}/avatar': picture,
  'PATCH /me/avatar': picture,
  'POST /call-center/media': picture,
  'POST /messages/media': picture,
  'PUT /rate-decks/{id}/rates': rateFile,
  'POST /contacts/import': rowsFile('name,numbers', 'Zoe,+12025550100'),
  'POST /agents/import': rowsFile('username,password,display_name', 'zoe,battery staple,Zoe'),
  'POST /sip-accounts/import': rowsFile('username,password,title', 'zoe,battery staple,Zoe'),
  'POST /extensions/import': rowsFile('extension_number,title,destination,team_id', '201,Desk,team,Imports'),
  'POST /phone-numbers/import': rowsFile(
    'number,country_code,title,inbound_acl_id,enable_outbound',
    '2025550100,US,Main,Imports,false',
  ),
  'POST /opt-outs/import': rowsFile('client_number,phone_number_id', '+12025550100,+12025559876'),
}

/** Makes what the files that are imported name. */
export async function prepareImports(api: ApiClient): Promise<void> {
  await succeed(api.post('/teams', { name: 'Imports' }))
  const { id } = await succeed(api.post('/sip-trunks/acls', { ...acl, title: 'Imports' }))
  const number = { title: 'Imports', number: '2025559876', country_code: 'US', inbound_acl_id: id }
  await succeed(api.post('/phone-numbers/connect', { ...number, enable_outbound: false }))
}

/** What belongs to the platform: every workspace may do this with it. */
export const shared: ReadonlySet<string> = new Set(['PUT /voice-agents/providers/{id}/key'])

/** The status for what is not in the workspace, where the contract has another one than 404. */
export const unknownStatus: Record<string, number> = { 'PATCH /agents/{id}': 400 }

/** Ids of the right form that nobody has. */
export function unknownParams({ parameters }: Operation): Params {
  const names = parameters.filter((one) => one.in === 'path').map((one) => one.name)
  return Object.fromEntries(names.map((name) => [name, unknowns[name] ?? 'pn_01jzzzzzzzzzzzzzzzzzzzzzzz']))
}

/** Ids of what the path speaks of, made for this. */
export async function paramsOf(
  { name, path }: Operation,
  appliance: Appliance,
  workspace: TestWorkspace,
): Promise<Params> {
  return path.includes('{') ? (resources[name] ?? resources[path])!(workspace, appliance) : {}
}

/** A body that the operation accepts; undefined where it takes none. */
export async function bodyOf({ name }: Operation, workspace: TestWorkspace): Promise<unknown> {
  return bodies[name]?.(workspace)
}

export function urlOf({ path }: Operation, params: Params): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name]!)
}

async function anAgent({ api }: TestWorkspace): Promise<Params> {
  return { id: await newAgent(api) }
}

function agentChanges() {
  const username = newName()
  return {
    ...{ username, display_name: 'Jane Roe', email: `${username}@example.com`, is_active: true },
    ...{ avatar: 'https://example.com/me.png', country_code: 'DE', role: 'leader' },
  }
}

/** A session of the agent who speaks, on another device. */
async function aSession(workspace: TestWorkspace): Promise<Params> {
  const { username, password, api } = await personOf(workspace, 'supervisor')
  const device_id = `device-${newName()}`
  await succeed(api.with({ authorization: undefined }).post('/auth/login', { username, password, device_id }))
  const { data } = await succeed(api.get('/me/sessions'))
  return data.find((session: Params) => session['device_id'] === device_id)
}

async function anInvited({ api }: TestWorkspace): Promise<string> {
  const id = await newAgent(api)
  await succeed(api.post(`/agents/${id}/invitation`))
  return id
}

/** The token of a link of ours. */
const tokenOf = (link: unknown) => String(link).split('#')[1] ?? ''

async function invitationToken({ api }: TestWorkspace): Promise<string> {
  const { link } = await succeed(api.post(`/agents/${await newAgent(api)}/invitation`))
  return tokenOf(link)
}

async function entryToken({ id, appliance }: TestWorkspace): Promise<string> {
  const { link } = await succeed(appliance.operator.post(`/workspaces/${id}/entries`))
  return tokenOf(link)
}

async function aFlowDraft(api: ApiClient): Promise<Params> {
  const id = await newCallFlow(api)
  await succeed(api.put(`/call-flows/${id}/draft`, { nodes: callFlow.nodes }))
  return { id }
}

async function aTeam({ api }: TestWorkspace): Promise<Params> {
  return { id: await newTeam(api) }
}

async function aMembership({ api }: TestWorkspace): Promise<Params> {
  const [id, agent_id] = [await newTeam(api), await newAgent(api)]
  await succeed(api.put(`/teams/${id}/agents/${agent_id}`))
  return { id, agent_id }
}

async function teamOfPeople(workspace: TestWorkspace): Promise<Params> {
  return { team_id: await teamOfAll(workspace) }
}

async function aProvider(_: TestWorkspace, appliance: Appliance): Promise<Params> {
  return { id: (await newProvider(appliance)).id }
}

/** Parameters that are no ids. */
const unknowns: Params = { version: '999999', name: 'nowhere' }

/** Of no server: what drains it is nothing to the other tests. */
async function aCell(_: TestWorkspace, appliance: Appliance): Promise<Params> {
  await query(
    appliance,
    "INSERT IGNORE INTO cells SET name = 'elsewhere', switch_address = '', server_id = 'gone', beat_at = UTC_TIMESTAMP(3)",
  )
  return { name: 'elsewhere' }
}

async function aRateDeck(_: TestWorkspace, { operator }: Appliance): Promise<Params> {
  return { id: (await succeed(operator.post('/rate-decks', { title: 'Retail' }))).id }
}

async function aCarrier(_: TestWorkspace, appliance: Appliance): Promise<Params> {
  return { id: await newCarrier(appliance, { is_active: false }) }
}

async function operatorsNumber(workspace: TestWorkspace): Promise<Params> {
  return { workspace_id: workspace.id, id: await newNumber(workspace.api) }
}

async function aVoiceAgent({ api }: TestWorkspace): Promise<{ id: string }> {
  await makeRoom(api, '/voice-agents')
  return { id: await newVoiceAgent(api) }
}

async function pushCredential({ api, sid }: TestWorkspace) {
  await makeRoom(api, '/push-credentials')
  return { ...iosCredential, api_key_sid: sid }
}

/** Deletes what earlier tests made of a kind that a workspace holds few of. */
async function makeRoom(api: ApiClient, path: string): Promise<void> {
  const { data } = await succeed(api.get(`${path}?limit=100`))
  for (const { id } of data) await api.delete(`${path}/${id}`)
}

async function aWebhook({ api }: TestWorkspace): Promise<Params> {
  return { id: await newWebhook(api) }
}

async function aCall({ api }: TestWorkspace): Promise<Params> {
  return { id: await newCall(api) }
}

async function aMessage(workspace: TestWorkspace): Promise<Params> {
  const { number } = await newTextingNumber(workspace.appliance, workspace)
  return { id: (await succeed(sendText(workspace.api, number))).id }
}

async function aConversation(workspace: TestWorkspace): Promise<Params> {
  return { id: await newConversation(workspace) }
}

async function aDeliveredMessage(workspace: TestWorkspace, appliance: Appliance): Promise<Params> {
  const message = await aMessage(workspace)
  await deliverAll(appliance, workspace)
  return message
}

async function aQuietConversation(workspace: TestWorkspace, appliance: Appliance): Promise<Params> {
  const conversation = await aConversation(workspace)
  await deliverAll(appliance, workspace)
  return conversation
}

/** Has no message of the workspace on its way any more. */
async function deliverAll(appliance: Appliance, { id }: TestWorkspace): Promise<void> {
  await query(appliance, 'DELETE FROM message_queue WHERE workspace_id = ?', [id])
  await query(
    appliance,
    "UPDATE messages SET status = 'delivered', cost = price WHERE workspace_id = ? AND status IN ('queued', 'sending')",
    [id],
  )
}

/** A call that waits for the app of the agent who makes it. */
async function aWaitingCall(workspace: TestWorkspace, appliance: Appliance): Promise<Params> {
  const { api } = await personOf(workspace, 'supervisor')
  const { call_id } = await succeed(
    api.post('/call-center/calls/make', { to: '+12025550100', type: 'audio' }),
  )
  await eventually(
    async () => query(appliance, 'SELECT id FROM outbox WHERE payload LIKE ?', [`%${call_id}%`]),
    (jobs) => jobs.length === 0,
    { what: 'placing of a call' },
  )
  return { call_id }
}

/** A call that somebody has taken, and which nothing ends. */
async function anAnsweredCall({ api }: TestWorkspace): Promise<Params> {
  const text = 'One moment. '.repeat(200)
  const input = { to: { number: '+12025550100' }, actions: [{ action: 'tts', params: { text } }] }
  const { call_id } = (await succeed(api.post('/calls/make', input))).data
  return { id: await answered(api, call_id) }
}

/** A call that somebody talks in. */
async function aTalk({ api }: TestWorkspace, to = '+12025550100'): Promise<Params> {
  const operator = { phone_number: '+12025550100' }
  const input = { to: { number: to }, actions: [{ action: 'to_operator', params: operator }] }
  const { call_id } = (await succeed(api.post('/calls/make', input))).data
  await eventually(
    async () => succeed(api.get(`/calls/${call_id}`)),
    ({ status }) => status === 'active',
  )
  return { call_id }
}

/** A talk of an agent who is in a team with the workspace's supervisor. */
async function anAgentsTalk(workspace: TestWorkspace): Promise<Params> {
  const { api } = workspace
  const [team, agent, supervisor] = [
    await newTeam(api),
    agentInput(),
    await personOf(workspace, 'supervisor'),
  ]
  const { id } = await succeed(api.post('/agents', agent))
  for (const member of [id, supervisor.id]) await succeed(api.put(`/teams/${team}/agents/${member}`))
  return aTalk(workspace, agent.username)
}

async function anAgentsRecordedTalk(workspace: TestWorkspace, appliance: Appliance): Promise<Params> {
  const id = (await anAgentsTalk(workspace))['call_id'] ?? ''
  return { id, recording_id: (await startRecording(appliance, workspace, id)).id }
}

/** A call that an agent has had. */
async function aCallOfAnAgent(workspace: TestWorkspace, appliance: Appliance): Promise<Params> {
  const { id: agent_id } = await personOf(workspace, 'supervisor')
  return { id: await insertCall(appliance, workspace, [{ agent_id }]) }
}

async function aVoicemail(workspace: TestWorkspace, appliance: Appliance) {
  const { id: agent_id } = await personOf(workspace, 'supervisor')
  const call_id = await insertMissedCall(appliance, workspace, agent_id)
  return { id: (await insertRecording(appliance, workspace, { call_id, kind: 'voicemail' })).id }
}

async function aMissedCall(workspace: TestWorkspace, appliance: Appliance) {
  const { id: agent_id } = await personOf(workspace, 'supervisor')
  return { id: await insertMissedCall(appliance, workspace, agent_id) }
}

/** A call whose transfer the agent has begun who sends the examples. */
async function aTransfer(workspace: TestWorkspace): Promise<Params> {
  const talk = await aTalk(workspace)
  const { api } = await personOf(workspace, 'supervisor')
  const path = `/call-center/calls/${talk['call_id']}/transfer`
  await succeed(api.post(path, { target: await neverAnswers(workspace) }))
  return talk
}

/** A consultation: an agent, in a team with the workspace's supervisor, talks to the target of a transfer. */
async function aConsultation(workspace: TestWorkspace): Promise<Params> {
  const { api } = workspace
  const [team, agent] = [await newTeam(api), await newPerson(workspace)]
  const { id } = await personOf(workspace, 'supervisor')
  for (const member of [agent.id, id]) await succeed(api.put(`/teams/${team}/agents/${member}`))
  const talk = await aTalk(workspace, agent.username)
  const call = talk['call_id'] ?? ''
  const target = await sandboxPhone(workspace, '12025550100')
  await succeed(agent.api.post(`/call-center/calls/${call}/transfer`, { target, consult: true }))
  await eventually(
    async () => (await succeed(api.get(`/calls/${call}`))).legs as { role: string; answered_at: unknown }[],
    (legs) => legs.filter(({ role, answered_at }) => role === 'destination' && answered_at).length === 2,
    { what: 'the target of a consultation' },
  )
  return talk
}

/** A SIP account of the sandbox whose phone rings until the caller gives up. */
async function neverAnswers(workspace: TestWorkspace): Promise<string> {
  return sandboxPhone(workspace, '12025550102')
}

/** A SIP account of the sandbox, which does what the number of its name does. */
async function sandboxPhone({ api }: TestWorkspace, username: string): Promise<string> {
  const { data } = await succeed(api.get(`/sip-accounts?search=${username}`))
  const [known] = data as { id: string }[]
  return known?.id ?? (await succeed(api.post('/sip-accounts', { ...sipAccountInput(), username }))).id
}

async function aRecording(workspace: TestWorkspace, appliance: Appliance): Promise<Params> {
  return { id: (await insertRecording(appliance, workspace)).id }
}

async function aRunningRecording(workspace: TestWorkspace, appliance: Appliance): Promise<Params> {
  const call = (await anAnsweredCall(workspace))['id'] ?? ''
  return { id: (await startRecording(appliance, workspace, call)).id }
}

async function answered(api: ApiClient, id: string): Promise<string> {
  await eventually(
    async () => succeed(api.get(`/calls/${id}`)),
    ({ status }) => status === 'started' || status === 'active',
  )
  return id
}
