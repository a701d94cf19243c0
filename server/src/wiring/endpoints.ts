import type { Config } from '../config.js'
import type { Endpoint } from '../http/endpoint.js'
import { maxNumbers } from '../phone-numbers/phone-number.resource.js'
import { maxVoiceAgents } from '../voice-agents/voice-agent.service.js'
import { ProfileService } from '../workspaces/profile.service.js'
import { UsageService } from '../workspaces/usage.service.js'
import { aiProviderKeyEndpoints } from '../ai-providers/ai-provider-keys.routes.js'
import { aiProviderEndpoints } from '../ai-providers/ai-providers.routes.js'
import { agentEndpoints } from '../agents/agents.routes.js'
import { authEndpoints } from '../auth/auth.routes.js'
import { sessionEndpoints } from '../auth/sessions.routes.js'
import { signingSecretEndpoints } from '../callbacks/signing-secret.routes.js'
import { callFlowEndpoints } from '../call-flows/call-flows.routes.js'
import { CallHistory } from '../calls/api/call-history.js'
import { CallList } from '../calls/api/call-list.js'
import { callEndpoints } from '../calls/api/calls.routes.js'
import { legNames } from '../calls/api/leg-names.js'
import { queueEndpoints } from '../calls/queue/queue.routes.js'
import { contactEndpoints } from '../contacts/contacts.routes.js'
import { conversationNoteEndpoints } from '../conversations/conversation-notes.routes.js'
import { conversationEndpoints } from '../conversations/conversations.routes.js'
import { extensionResource } from '../extensions/extension.resource.js'
import { audioEndpoints } from '../media/audios.routes.js'
import { carrierEndpoints } from '../messages/carriers/carriers.routes.js'
import { originatorEndpoints } from '../messages/carriers/originators.routes.js'
import { messageSettingsEndpoints } from '../messages/settings/message-settings.routes.js'
import { optOutEndpoints } from '../messages/inbound/opt-outs.routes.js'
import { uploadEndpoints } from '../messages/media/uploads.routes.js'
import { messageEndpoints } from '../messages/messages.routes.js'
import { cellEndpoints } from '../cells/cells.routes.js'
import { maintenanceEndpoints } from '../maintenance/maintenance.routes.js'
import { metricsEndpoints } from '../metrics/metrics.routes.js'
import { operatorEndpoints } from '../operator/operator.routes.js'
import { numberVerificationEndpoints } from '../phone-numbers/number-verification.routes.js'
import { phoneNumberEndpoints } from '../phone-numbers/phone-numbers.routes.js'
import { recordingEndpoints } from '../recordings/recordings.routes.js'
import { erasureEndpoints } from '../retention/erasures/erasures.routes.js'
import { presentSipAccount } from '../sip-accounts/sip-account.presenter.js'
import { sipAccountResource } from '../sip-accounts/sip-account.resource.js'
import { pushCredentialEndpoints } from '../push/push-credentials.routes.js'
import { deviceEndpoints } from '../devices/devices.routes.js'
import { sipCaptureEndpoints } from '../sip-capture/sip-capture.routes.js'
import { operatorGatewayEndpoints } from '../sip-trunks/operator-gateways.routes.js'
import { sipTrunkEndpoints } from '../sip-trunks/sip-trunks.routes.js'
import { teamEndpoints } from '../teams/teams.routes.js'
import { transcriptEndpoints } from '../voice-agents/sessions/transcripts.routes.js'
import { trialCallEndpoints } from '../voice-agents/trial-calls.routes.js'
import { evaluationEndpoints } from '../voice-agents/evaluations/evaluations.routes.js'
import { instructionEndpoints } from '../voice-agents/instructions/instructions.routes.js'
import { voiceAgentToolEndpoints } from '../voice-agents/voice-agent-tools.routes.js'
import { voiceAgentVersionEndpoints } from '../voice-agents/voice-agent-versions.routes.js'
import { voiceAgentEndpoints } from '../voice-agents/voice-agents.routes.js'
import { webhookEndpoints } from '../webhooks/webhooks.routes.js'
import { alertEndpoints } from '../alerts/alerts.routes.js'
import { rateEndpoints } from '../rates/rates.routes.js'
import { auditLogEndpoints } from '../workspaces/audit-log.routes.js'
import { profileEndpoints } from '../workspaces/profile.routes.js'
import { CreditAdditions } from '../workspaces/credit-additions.js'
import { CreditCheck } from '../workspaces/credit-check.js'
import { UsageExport } from '../workspaces/usage-export.js'
import { usageEndpoints } from '../workspaces/usage.routes.js'
import { workspaceEndpoints } from '../workspaces/workspaces.routes.js'
import { callCenterEndpoints } from './call-center.js'
import { streamEndpoints } from '../stream/stream.routes.js'
import { registeredEndpoints } from '../resources/registered.js'
import type { Streams } from '../stream/streams.js'
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
  })
  const usage = new UsageService(database)
  const history = new CallHistory(database)
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
    ...alertEndpoints(core),
    ...rateEndpoints({ ...resources, workspaces }),
    ...signingSecretEndpoints(callbacks),
    ...usageEndpoints({ usage, usageExport: new UsageExport(database), workspaces }),
    ...agentEndpoints({ agents, presenter: agentPresenter }),
    ...authEndpoints({ auth, resets, presenter: agentPresenter }),
    ...sessionEndpoints({ sessions, devices }),
    ...teamEndpoints({ teams, memberships, agentPresenter }),
    ...queueEndpoints({ teams, access: teamAccess, queue: queueStore }),
    ...sipTrunkEndpoints({ inboundAcls, outboundGateways, gatewayPresenter }),
    ...operatorGatewayEndpoints({ outboundGateways, gatewayPresenter }),
    ...phoneNumberEndpoints({ phoneNumbers, inboundAcls, outboundGateways, workspaces }),
    ...numberVerificationEndpoints({ verification: wiredCalls.numberVerification }),
    ...carrierEndpoints({ ...wiredMessages, workspaces }),
    ...originatorEndpoints({ ...wiredMessages, workspaces }),
    ...sipAccountResource.endpoints(sipAccounts, presentSipAccount),
    ...extensionResource.endpoints(extensions, extensionPresenter),
    ...audioEndpoints({ audios }),
    ...callEndpoints({
      ...{ calls, list: new CallList(database), history, deletions },
      legNames: async (workspace, legs) => legNames(database, workspace, legs),
      voiceAgentSessions: voiceAgentCalls.store,
    }),
    ...transcriptEndpoints({ calls, sessions: voiceAgentCalls.store }),
    ...optOutEndpoints(wiredMessages),
    ...messageSettingsEndpoints(wiredMessages),
    ...messageEndpoints({ ...wiredMessages, deletions }),
    ...callFlowEndpoints({ callFlows, flowNames, simulator }),
    ...recordingEndpoints({ recordings: recordings.service, retention: recordings.retention }),
    ...contactEndpoints({ contacts, addressBooks, teamAccess }),
    ...aiProviderEndpoints({ aiProviders, providerSettings, providerTrials }),
    // Its paths would match /voice-agents/:id, too.
    ...aiProviderKeyEndpoints({ aiProviderKeys }),
    ...voiceAgentEndpoints({ voiceAgents, catalogue, ...evaluations }),
    ...voiceAgentVersionEndpoints({ voiceAgents, versions, catalogue, ...evaluations }),
    ...voiceAgentToolEndpoints({ voiceAgents, tools }),
    ...trialCallEndpoints(wiredCalls),
    ...instructionEndpoints({ instructions }),
    ...evaluationEndpoints({ voiceAgents, ...evaluations }),
    ...pushCredentialEndpoints({ pushCredentials, push }),
    ...streamEndpoints({ streams }),
    ...deviceEndpoints({ devices }),
    ...auditLogEndpoints({ auditLog }),
    ...webhookEndpoints({ webhooks: webhooks.service, deliveries: webhooks.deliveries }),
    ...callCenterEndpoints(core, resources, wiredCalls, history),
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
