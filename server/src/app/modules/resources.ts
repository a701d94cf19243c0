/** What workspaces hold: people, phones, trunks, numbers, audios, voice agents, contacts. */
import { Agent } from '../../features/agents/agent.entity.js'
import { type Logger } from 'pino'
import { AiProviderKeys } from '../../features/ai-providers/ai-provider-key.service.js'
import { AiProviderService } from '../../features/ai-providers/ai-provider.service.js'
import { ProviderModels } from '../../features/ai-providers/provider-models.js'
import { ProviderSettings } from '../../features/ai-providers/provider-settings.js'
import { ProviderTrials } from '../../features/ai-providers/provider-trial.js'
import { AgentPresenter } from '../../features/agents/agent.presenter.js'
import { RegisteredSoftphones } from '../../features/agents/registered-softphones.js'
import { AgentService } from '../../features/agents/agent.service.js'
import { Avatars } from '../../features/agents/avatars.js'
import { AgentSessions } from '../../features/auth/agent-sessions.js'
import { AccountNotices } from '../../features/auth/account-notices.js'
import { AuthService } from '../../features/auth/auth.service.js'
import { Bearers } from '../../features/auth/bearers.js'
import { Credentials } from '../../features/auth/credentials.js'
import { KnownDevices } from '../../features/auth/known-devices.js'
import { LogInGuard } from '../../features/auth/log-in-guard.js'
import { Invitations } from '../../features/auth/invitations.js'
import { PasswordResets } from '../../features/auth/password-resets.js'
import { CallFlowTriggers } from '../../features/call-flows/call-flow-triggers.js'
import { AgentClaims, noOtherCells } from '../../features/calls/dialling/agent-claims.js'
import { AgentsAcrossCells } from '../../features/calls/dialling/agents-across-cells.js'
import { AgentsInCalls } from '../../features/calls/dialling/agents-in-calls.js'
import type { Config } from '../../config/config.js'
import { AddressBookService } from '../../features/contacts/address-book.service.js'
import { ContactService } from '../../features/contacts/contact.service.js'
import { ExtensionPresenter } from '../../features/extensions/extension.presenter.js'
import { ExtensionService } from '../../features/extensions/extension.service.js'
import { everywhere } from '../../lib/networks.js'
import { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import { NextHops } from '../../infrastructure/http-client/next-hops.js'
import { AudioService } from '../../features/audio/audio.service.js'
import { Speech } from '../../features/audio/speech.js'
import { MeService } from '../../features/me/me.service.js'
import { ChosenStates } from '../../features/presence/chosen-states.js'
import { AgentStateService } from '../../features/presence/agent-state.service.js'
import { LiveSessions } from '../../features/presence/live-sessions.js'
import { Presence } from '../../features/presence/presence.js'
import { SeenStates } from '../../features/presence/seen-states.js'
import { AllowedCountries } from '../../features/phone-numbers/allowed-countries.js'
import { WorkspaceNumbers } from '../../features/phone-numbers/workspace-numbers.js'
import { PhoneNumberService } from '../../features/phone-numbers/phone-number.service.js'
import { RateDeckService } from '../../features/rates/rate-deck.service.js'
import { Rates } from '../../features/rates/rates.js'
import { SipAccountService } from '../../features/sip-accounts/sip-account.service.js'
import { DeviceService } from '../../features/devices/device.service.js'
import { NotifiedDevices } from '../../features/devices/notified-devices.js'
import { PushCredentialService } from '../../features/push/push-credential.service.js'
import { PushService } from '../../features/push/push.service.js'
import { RemoteAgentClaims } from '../../features/calls/cluster/remote-agent-claims.js'
import { CarrierDns } from '../../features/sip-trunks/carrier-dns.js'
import { GatewayAddresses } from '../../features/sip-trunks/gateway-addresses.js'
import { GatewayApproval } from '../../features/sip-trunks/gateway-approval.js'
import { GatewayStates } from '../../features/sip-trunks/gateway-states.js'
import { GatewayPresenter } from '../../features/sip-trunks/gateway.presenter.js'
import { GatewayReach } from '../../features/sip-trunks/gateway-reach.js'
import { GatewayRegistrations } from '../../features/sip-trunks/gateway-registrations.js'
import { GatewayResolver } from '../../features/sip-trunks/gateway-resolver.js'
import { gatewayNetworks } from '../../features/sip-trunks/gateway-networks.js'
import { InboundAclResolver } from '../../features/sip-trunks/inbound-acl-resolver.js'
import { InboundAclService } from '../../features/sip-trunks/inbound-acl.service.js'
import { OutboundGatewayService } from '../../features/sip-trunks/outbound-gateway.service.js'
import { MembershipService } from '../../features/teams/membership.service.js'
import { TeamAccess } from '../../features/teams/team-access.js'
import { TeamPresenter } from '../../features/teams/team.presenter.js'
import { TeamService } from '../../features/teams/team.service.js'
import { Catalogue } from '../../features/ai-providers/catalogue.js'
import { InstructionWriter } from '../../features/voice-agents/instructions/instruction-writer.js'
import { InstructionService } from '../../features/voice-agents/instructions/instructions.service.js'
import { TextModelClient } from '../../features/voice-agents/instructions/text-model.js'
import { SpeechTools } from '../../features/voice-agents/tools/speech-tools.js'
import { VoiceAgentTools } from '../../features/voice-agents/voice-agent-tool.service.js'
import { VoiceAgentVersions } from '../../features/voice-agents/voice-agent-versions.service.js'
import { VoiceAgentService } from '../../features/voice-agents/voice-agent.service.js'
import type { Core } from './core.js'
import { announcePresence } from './presence.js'

export function wireResources(config: Config, log: Logger, core: Core) {
  const { database, secrets, inUse, urls, registrations, mailer, tokens, clientTokens } = core
  const { hub, switchboard, servers, driver, kept } = core
  const { limits } = config
  const avatars = new Avatars(database, config.media.directory, urls)
  const softphones = new RegisteredSoftphones(database, config.edge.sip_domain)
  const rungDevices = new NotifiedDevices(database)
  const chosenStates = new ChosenStates(database)
  const seenStates = new SeenStates()
  const taken = new RemoteAgentClaims(servers, driver)
  const acrossCells = new AgentsAcrossCells({ database, cell: config.cell, taken, log })
  const claims = new AgentClaims(switchboard, driver.isAlone ? noOtherCells : acrossCells)
  taken.shareClaims(claims)
  taken.on('freed', (agentId) => claims.freedElsewhere(agentId))
  const presence = new Presence(
    [softphones, rungDevices, new LiveSessions(hub), new AgentsInCalls(database, claims, taken)],
    chosenStates,
    seenStates,
  )
  const sessions = new AgentSessions(database, tokens)
  const agents = new AgentService(
    { database, presence, avatars, storedBytes: core.keptBytes, registrations, sessions },
    { sipDomain: config.edge.sip_domain, limit: limits.agents },
  )
  const findWorkspace = async (id: string) => core.workspaces.find(id)
  const notices = new AccountNotices({ database, findWorkspace, mailer, log })
  agents.afterChange(async (tx, before, after) => notices.notifyOfChange(tx, before, after))
  const resets = new PasswordResets(
    { database, agents, findWorkspace, notices, tokens, mailer, log },
    config.mail.reset_url,
  )
  const invitations = new Invitations({ database, agents, findWorkspace, tokens, urls, mailer, log })
  agents.afterChange(async (tx, before, after) => invitations.endWith(tx, before, after))
  const knownDevices = new KnownDevices(database)
  agents.afterChange(async (tx, before, after) => knownDevices.forgetWith(tx, before, after))
  const logInGuard = new LogInGuard(config.rate_limits.auth, core.counters)
  const auth = new AuthService(agents, sessions, resets, knownDevices, logInGuard, core.trail)
  sessions.on('reused', ({ workspace_id, agent_id }) => {
    const target = { type: 'agent', id: agent_id }
    void core.trail.note({ workspace_id, action: 'agent.refresh_reused', target })
  })
  const credentials = new Credentials(sessions, core.apiKeys, core.callTokens)
  const bearers = new Bearers(sessions, clientTokens, credentials)
  const agentPresenter = new AgentPresenter(presence, avatars, config.edge.sip_domain)
  const teams = new TeamService(database, inUse, limits.teams)
  const memberships = new MembershipService(database, teams, agents)
  const teamAccess = new TeamAccess(teams, memberships, {
    leadersOnlyOwnTeams: async ({ id }) => (await findWorkspace(id))?.leaders_only_own_teams ?? false,
  })
  const teamPresenter = new TeamPresenter(memberships)
  const agentStates = new AgentStateService(
    presence,
    chosenStates,
    async ({ id }) => (await core.workspaces.find(id))?.away_reasons ?? null,
  )
  const me = new MeService(agents, auth)
  const carrierDns = new CarrierDns(config.sip_trunks.dns_servers)
  const aclResolver = new InboundAclResolver(database, carrierDns, log)
  const inboundAcls = new InboundAclService(
    ...([database, inUse, limits.inbound_acls, () => aclResolver.wake(), core.stir] as const),
  )
  const gatewayHops = new NextHops({
    allowed_networks: gatewayNetworks(config),
    dns_servers: config.sip_trunks.dns_servers,
  })
  const gatewayAddresses = new GatewayAddresses(database)
  const gatewayApproval = new GatewayApproval(gatewayAddresses, gatewayHops, kept.own)
  const gatewayRegistrations = new GatewayRegistrations(database, secrets)
  const gatewayStates = new GatewayStates({
    ...{ database, addresses: gatewayAddresses, approval: gatewayApproval },
    registrations: gatewayRegistrations,
    ...{ webhooks: core.webhooks.events, alerts: core.alerts, log },
  })
  const gatewayResolver = new GatewayResolver(database, gatewayAddresses, gatewayHops, gatewayStates, log)
  const gatewayReach = new GatewayReach(database, config.sip_trunks.ping_interval)
  const gatewayListeners = [() => gatewayResolver.wake()] as ((id: string) => void)[]
  const gatewayWritten = (id: string) => {
    for (const listen of gatewayListeners) listen(id)
  }
  const outboundGateways = new OutboundGatewayService({
    ...{ database, secrets, inUse, limit: limits.outbound_gateways, stir: core.stir },
    kept: kept.own,
    maySign: async ({ id }) => (await core.workspaces.find(id))?.call_signing ?? false,
    ...{ hops: gatewayHops, addresses: gatewayAddresses, written: gatewayWritten },
    registrations: gatewayRegistrations,
    ...{ approval: gatewayApproval, states: gatewayStates },
    isVerified: async (workspace, digits) =>
      (await phoneNumbers.findByDigits(workspace, digits))?.is_verified ?? false,
    digitsOf: async (workspace, text) => numbers.digitsOf(workspace, text),
  })
  inUse.register('outbound_gateway', async ({ id }, gateway) =>
    (await core.workspaces.find(id))?.emergency_gateway_id === gateway ? ['emergency calls'] : [],
  )
  const phoneNumbers: PhoneNumberService = new PhoneNumberService(
    database,
    inboundAcls,
    outboundGateways,
    inUse,
    new CallFlowTriggers(),
    {
      fee_per_mins_call: config.calls.default_fee_per_minute,
      fee_per_segment: config.messages.default_fee_per_segment,
      fee_per_mms: config.messages.default_fee_per_mms,
    },
    kept.own,
    log,
  )
  const countryOf = async (id: string) => (await core.workspaces.find(id))?.country_code ?? null
  const numbers: WorkspaceNumbers = new WorkspaceNumbers({ numbers: phoneNumbers, countryOf })
  const rates = new Rates(
    database,
    async (id) => (await core.workspaces.find(id))?.rate_deck_id ?? null,
    kept.common,
  )
  const rateDecks = new RateDeckService(database)
  const countries = new AllowedCountries(async (id) => core.workspaces.find(id))
  const sipAccounts = new SipAccountService(
    {
      ...{ database, phoneNumbers, registrations },
      isAgents: async (tx, { username, domain }) => tx.existsBy(Agent, { username, realm: domain }),
    },
    { sipDomain: config.edge.sip_domain, limit: limits.sip_accounts },
  )
  const speech = new Speech(config.media)
  const audios = new AudioService(
    ...([database, config.media, speech, inUse, limits.audios, core.keptBytes, kept.own] as const),
  )
  const providerSettings = new ProviderSettings(secrets)
  const aiProviders = new AiProviderService(database, providerSettings)
  const aiProviderKeys = new AiProviderKeys(database, secrets, aiProviders)
  const providerTrials = new ProviderTrials(providerSettings, log)
  const catalogue = new Catalogue(aiProviders, config.voice_agents.default_model)
  const speechProviders = new ProviderModels({
    ...{ providers: aiProviders, settings: providerSettings, keys: aiProviderKeys, catalogue, log },
  })
  const versions = new VoiceAgentVersions(database, catalogue)
  const tools = new VoiceAgentTools(database, secrets, versions, core.client, limits.voice_agent_tools)
  const speechTools = new SpeechTools(tools)
  // Providers are the operator's choice: they may be in the operator's own networks.
  const textClient = new GuardedClient({ ...config.http_client, allowed_networks: everywhere })
  const writer = new InstructionWriter(speechProviders, new TextModelClient(textClient), log)
  const instructions = new InstructionService(database, writer)
  const voiceAgents = new VoiceAgentService(database, versions, tools, instructions)
  const extensionPresenter = new ExtensionPresenter({
    ...{ agents, avatars, teams, memberships, sipAccounts, voiceAgents, countryOf },
  })
  const extensions = new ExtensionService(database, limits.extensions)
  const pushCredentials = new PushCredentialService(database, secrets, inUse, limits.push_credentials, log)
  const devices = new DeviceService(database)
  const presenceNotices = announcePresence(core, log, {
    ...{ presence, seen: seenStates, claims, chosenStates, devices },
  })
  sessions.alsoEnd(async (tx, ended) => devices.unregisterAll(tx, ended))
  sessions.on('ended', (_, { workspace_id, agent_id }) => devices.changed(workspace_id, agent_id))
  const push = new PushService({
    ...{ secrets, log, credentials: pushCredentials, addresses: config.push },
    devices: {
      ringable: async (userDialer) => rungDevices.ringable(userDialer),
      forget: async (device, token) => devices.forget(device, token),
    },
  })
  const contacts = new ContactService(database, numbers, limits.contacts)
  const addressBooks = new AddressBookService(database, inUse, limits.address_books)
  return {
    avatars,
    softphones,
    chosenStates,
    ...{ claims, acrossCells },
    presence,
    presenceNotices,
    agents,
    agentPresenter,
    sessions,
    auth,
    resets,
    invitations,
    notices,
    knownDevices,
    credentials,
    bearers,
    teams,
    memberships,
    teamAccess,
    teamPresenter,
    agentStates,
    me,
    aclResolver,
    gatewayHops,
    gatewayAddresses,
    gatewayApproval,
    gatewayStates,
    gatewayResolver,
    gatewayReach,
    gatewayListeners,
    gatewayPresenter: new GatewayPresenter(gatewayReach, gatewayRegistrations),
    gatewayRegistrations,
    inboundAcls,
    outboundGateways,
    phoneNumbers,
    numbers,
    countries,
    ...{ rates, rateDecks },
    sipAccounts,
    speech,
    audios,
    aiProviders,
    aiProviderKeys,
    providerSettings,
    providerTrials,
    speechProviders,
    catalogue,
    versions,
    tools,
    speechTools,
    textClient,
    instructions,
    voiceAgents,
    extensionPresenter,
    extensions,
    pushCredentials,
    devices,
    rungDevices,
    push,
    contacts,
    addressBooks,
  }
}

export type Resources = ReturnType<typeof wireResources>
