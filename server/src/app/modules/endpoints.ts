import type { Config } from '../../config/config.js'
import type { Endpoint } from '../../infrastructure/http/endpoint.js'
import { maxNumbers } from '../../features/phone-numbers/phone-number.resource.js'
import { maxVoiceAgents } from '../../features/voice-agents/voice-agent.service.js'
import { ProfileService } from '../../features/workspaces/profile.service.js'
import { UsageService } from '../../features/workspaces/usage.service.js'
import { aiProviderKeyEndpoints } from '../../features/ai-providers/ai-provider-keys.routes.js'
import { aiProviderEndpoints } from '../../features/ai-providers/ai-providers.routes.js'
import { agentEndpoints } from '../../features/agents/agents.routes.js'
import { invitationEndpoints } from '../../features/auth/invitations.routes.js'
import { operatorEntryEndpoints } from '../../features/workspaces/operator-entries.routes.js'
import { authEndpoints } from '../../features/auth/auth.routes.js'
import { sessionEndpoints } from '../../features/auth/sessions.routes.js'
import { signingSecretEndpoints } from '../../features/callbacks/signing-secret.routes.js'
import { callFlowEndpoints } from '../../features/call-flows/call-flows.routes.js'
import { flowDraftEndpoints } from '../../features/call-flows/flow-drafts.routes.js'
import { ContactNames } from '../../features/contacts/contact-names.js'
import { RelatedToCalls } from '../../features/calls/api/related.js'
import { CallHistory } from '../../features/calls/api/call-history.js'
import { CallList } from '../../features/calls/api/call-list.js'
import { callEndpoints } from '../../features/calls/api/calls.routes.js'
import { legNames } from '../../features/calls/api/leg-names.js'
import { queueEndpoints } from '../../features/calls/queue/queue.routes.js'
import { contactEndpoints } from '../../features/contacts/contacts.routes.js'
import { conversationNoteEndpoints } from '../../features/conversations/conversation-notes.routes.js'
import { conversationEndpoints } from '../../features/conversations/conversations.routes.js'
import { extensionEndpoints } from '../../features/extensions/extensions.routes.js'
import { audioEndpoints } from '../../features/audio/audios.routes.js'
import { carrierEndpoints } from '../../features/messages/carriers/carriers.routes.js'
import { originatorEndpoints } from '../../features/messages/carriers/originators.routes.js'
import { messageSettingsEndpoints } from '../../features/messages/settings/message-settings.routes.js'
import { optOutEndpoints } from '../../features/messages/inbound/opt-outs.routes.js'
import { uploadEndpoints } from '../../features/messages/media/uploads.routes.js'
import { messageEndpoints } from '../../features/messages/messages.routes.js'
import { cellEndpoints } from '../../features/cells/cells.routes.js'
import { maintenanceEndpoints } from '../../features/maintenance/maintenance.routes.js'
import { metricsEndpoints } from '../../features/metrics/metrics.routes.js'
import { operatorEndpoints } from '../../features/platform/operator.routes.js'
import { numberVerificationEndpoints } from '../../features/phone-numbers/number-verification.routes.js'
import { phoneNumberEndpoints } from '../../features/phone-numbers/phone-numbers.routes.js'
import { recordingEndpoints } from '../../features/recordings/recordings.routes.js'
import { erasureEndpoints } from '../../features/retention/erasures/erasures.routes.js'
import { sipAccountEndpoints } from '../../features/sip-accounts/sip-accounts.routes.js'
import { pushCredentialEndpoints } from '../../features/push/push-credentials.routes.js'
import { deviceEndpoints } from '../../features/devices/devices.routes.js'
import { sipCaptureEndpoints } from '../../features/sip-capture/sip-capture.routes.js'
import { operatorGatewayEndpoints } from '../../features/sip-trunks/operator-gateways.routes.js'
import { sipTrunkEndpoints } from '../../features/sip-trunks/sip-trunks.routes.js'
import { teamEndpoints } from '../../features/teams/teams.routes.js'
import { transcriptEndpoints } from '../../features/voice-agents/sessions/transcripts.routes.js'
import { flowCallEndpoints } from '../../features/calls/api/flow-calls.routes.js'
import { Overview } from '../../features/overview/overview.js'
import { overviewEndpoints } from '../../features/overview/overview.routes.js'
import { trialCallEndpoints } from '../../features/voice-agents/trial-calls.routes.js'
import { evaluationEndpoints } from '../../features/voice-agents/evaluations/evaluations.routes.js'
import { instructionEndpoints } from '../../features/voice-agents/instructions/instructions.routes.js'
import { voiceAgentToolEndpoints } from '../../features/voice-agents/voice-agent-tools.routes.js'
import { voiceAgentVersionEndpoints } from '../../features/voice-agents/voice-agent-versions.routes.js'
import { voiceAgentEndpoints } from '../../features/voice-agents/voice-agents.routes.js'
import { webhookEndpoints } from '../../features/webhooks/webhooks.routes.js'
import { alertEndpoints } from '../../features/alerts/alerts.routes.js'
import { rateEndpoints } from '../../features/rates/rates.routes.js'
import { auditLogEndpoints } from '../../features/workspaces/audit-log.routes.js'
import { profileEndpoints } from '../../features/workspaces/profile.routes.js'
import { CreditAdditions } from '../../features/workspaces/credit-additions.js'
import { CreditCheck } from '../../features/workspaces/credit-check.js'
import { UsageExport } from '../../features/workspaces/usage-export.js'
import { usageEndpoints } from '../../features/workspaces/usage.routes.js'
import { workspaceEndpoints } from '../../features/workspaces/workspaces.routes.js'
import { callCenterEndpoints } from './call-center.js'
import { streamEndpoints } from '../../features/realtime/stream.routes.js'
import { registeredEndpoints } from '../registered-resources.js'
import type { Streams } from '../../features/realtime/streams.js'
import type { Calls } from './calls.js'
import type { Conversations } from './conversations.js'
import type { Core } from './core.js'
import type { Evaluations } from './evaluations.js'
import type { Messages } from './messages.js'
import type { Maintenance } from './maintenance.js'
import type { Measured } from './metrics.js'
import type { Operator } from './operator.js'
import type { SipCapture } from './sip-capture.js'
import type { Resources } from './resources.js'
import type { Retention } from './retention.js'

/** All endpoints of the API, in the order in which the document lists them. */
export function endpointsOf(
  config: Config,
  core: Core,
  resources: Resources,
  wiredMessages: Messages,
  conversations: Conversations,
  wiredCalls: Calls,
  streams: Streams,
  evaluations: Evaluations,
  operator: Operator,
  measured: Measured,
  maintenance: Maintenance,
  sipCapture: SipCapture,
  { deletions, erasures }: Retention,
): readonly Endpoint[] {
  const { database, apiKeys, credit, workspaces, auditLog, webhooks } = core
  const {
    agents,
    agentPresenter,
    auth,
    resets,
    invitations,
    sessions,
    teams,
    memberships,
    teamAccess,
    inboundAcls,
    outboundGateways,
    gatewayPresenter,
    phoneNumbers,
    sipAccounts,
    audios,
    aiProviders,
    aiProviderKeys,
    providerSettings,
    providerTrials,
    catalogue,
    versions,
    tools,
    instructions,
    voiceAgents,
    extensionPresenter,
    extensions,
    pushCredentials,
    push,
    devices,
    contacts,
    addressBooks,
  } = resources
  const {
    calls,
    store,
    recordings,
    queueStore,
    callbacks,
    callFlows,
    flowDrafts,
    flowNames,
    simulator,
    voiceAgentCalls,
  } = wiredCalls
  // Each voice agent may have so many: there is no sum of a workspace's to show.
  const { voice_agent_tools: _, ...limits } = config.limits
  const profiles = new ProfileService({
    ...{ database, workspaces, credit, policy: core.policy },
    calls: config.calls,
    edge: config.edge,
    limits: { phone_numbers: maxNumbers, voice_agents: maxVoiceAgents, ...limits },
    liveCalls: async (workspace) => store.countLive(workspace),
    outboundGateways: resources.outboundGateways,
    storedBytes: core.keptBytes,
    ...{ audios: resources.audios, speech: resources.speech },
  })
  const usage = new UsageService(database)
  const history = new CallHistory(database, new RelatedToCalls(database, new ContactNames(database)))
  const list = new CallList(database)
  return [
    ...workspaceEndpoints({
      ...{ workspaces, apiKeys, credit, creditCheck: new CreditCheck(database) },
      creditAdditions: new CreditAdditions(credit, core.idempotency),
      storedBytes: core.keptBytes,
    }),
    ...operatorEndpoints(operator),
    ...cellEndpoints({ cells: core.cellService }),
    ...metricsEndpoints(measured),
    ...maintenanceEndpoints(maintenance),
    ...sipCaptureEndpoints(sipCapture),
    ...profileEndpoints({ profiles }),
    ...overviewEndpoints({
      overview: new Overview({
        ...{ database, credit, presence: resources.presence },
        liveCalls: async (workspace) => store.countLive(workspace),
      }),
    }),
    ...alertEndpoints(core),
    ...rateEndpoints({ ...resources, workspaces }),
    ...signingSecretEndpoints(callbacks),
    ...usageEndpoints({ usage, usageExport: new UsageExport(database), workspaces }),
    ...agentEndpoints({ database, agents, presenter: agentPresenter }),
    ...authEndpoints({ auth, resets, presenter: agentPresenter }),
    ...invitationEndpoints({ invitations, agents, auth, presenter: agentPresenter, workspaces }),
    ...operatorEntryEndpoints({ entries: core.entries, workspaces }),
    ...sessionEndpoints({ sessions, devices }),
    ...teamEndpoints({ teams, memberships, agentPresenter }),
    ...queueEndpoints({ teams, access: teamAccess, queue: queueStore }),
    ...sipTrunkEndpoints({ inboundAcls, outboundGateways, gatewayPresenter }),
    ...operatorGatewayEndpoints({ outboundGateways, gatewayPresenter }),
    ...phoneNumberEndpoints({ database, phoneNumbers, inboundAcls, outboundGateways, workspaces }),
    ...numberVerificationEndpoints({ verification: wiredCalls.numberVerification }),
    ...carrierEndpoints({ ...wiredMessages, workspaces }),
    ...originatorEndpoints({ ...wiredMessages, workspaces }),
    ...sipAccountEndpoints({ database, sipAccounts }),
    ...extensionEndpoints({ database, extensions, extensionPresenter }),
    ...audioEndpoints({ audios }),
    ...callEndpoints({
      ...{ calls, list, history, deletions },
      legNames: async (workspace, legs) => legNames(database, workspace, legs),
      voiceAgentSessions: voiceAgentCalls.store,
    }),
    ...transcriptEndpoints({ calls, sessions: voiceAgentCalls.store }),
    ...optOutEndpoints({ ...wiredMessages, database }),
    ...messageSettingsEndpoints(wiredMessages),
    ...messageEndpoints({ ...wiredMessages, deletions }),
    ...callFlowEndpoints({ callFlows, flowNames, simulator }),
    ...flowDraftEndpoints(callFlows, flowDrafts),
    ...recordingEndpoints({ recordings: recordings.service, retention: recordings.retention }),
    ...contactEndpoints({ database, contacts, addressBooks, teamAccess }),
    ...aiProviderEndpoints({ aiProviders, providerSettings, providerTrials }),
    // Its paths would match /voice-agents/:id, too.
    ...aiProviderKeyEndpoints({ aiProviderKeys }),
    ...voiceAgentEndpoints({ voiceAgents, catalogue, ...evaluations }),
    ...voiceAgentVersionEndpoints({ voiceAgents, versions, catalogue, ...evaluations }),
    ...voiceAgentToolEndpoints({ voiceAgents, tools }),
    ...trialCallEndpoints(wiredCalls),
    ...flowCallEndpoints(wiredCalls),
    ...instructionEndpoints({ instructions }),
    ...evaluationEndpoints({ voiceAgents, ...evaluations }),
    ...pushCredentialEndpoints({ pushCredentials, push }),
    ...streamEndpoints({ streams }),
    ...deviceEndpoints({ devices }),
    ...auditLogEndpoints({ auditLog }),
    ...webhookEndpoints({ webhooks: webhooks.service, deliveries: webhooks.deliveries }),
    ...callCenterEndpoints(core, resources, wiredCalls, { history, list }),
    ...conversationEndpoints({ ...conversations, deletions }),
    ...erasureEndpoints({ erasures }),
    ...conversationNoteEndpoints(conversations),
    ...registeredEndpoints(database, core.inUse, config.limits),
    ...uploadEndpoints({
      ...{ uploads: wiredMessages.media.uploads, urls: core.urls },
      maxBytes: config.messages.max_media_mb * 1_048_576,
    }),
  ]
}
