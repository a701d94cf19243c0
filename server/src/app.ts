/** Wires the parts; the only place that knows all of them. */
import { type Server, createServer } from 'node:http'
import { type Logger, pino } from 'pino'
import { AgentPresenter } from './agents/agent-presenter.js'
import { AgentStates } from './agents/agent-states.js'
import { RegisteredSoftphones } from './agents/registered-softphones.js'
import { AgentService } from './agents/agent.service.js'
import { agentEndpoints } from './agents/agents.routes.js'
import { avatarPages } from './agents/avatar-pages.js'
import { Avatars } from './agents/avatars.js'
import { Callbacks } from './callbacks/callbacks.js'
import { signingSecretEndpoints } from './callbacks/signing-secret.routes.js'
import { CallFlowService } from './call-flows/call-flow.service.js'
import { callFlowEndpoints } from './call-flows/call-flows.routes.js'
import { FlowNames } from './call-flows/simulate/names.js'
import { CallFlowSimulator } from './call-flows/simulate/simulator.js'
import { CallFlowTriggers } from './call-flows/call-flow-triggers.js'
import { AgentClaims } from './calls/agent-claims.js'
import { AgentsInCalls } from './calls/agents-in-calls.js'
import { FlowPrograms } from './call-flows/flow-program.js'
import { nodeRunners } from './call-flows/runners/index.js'
import { FlowVersions } from './call-flows/flow-versions.js'
import { CallLimits } from './calls/call-limits.js'
import { CallRouting } from './calls/call-routing.js'
import { CallService, placeCallJob } from './calls/call.service.js'
import { CallSessions } from './calls/call-sessions.js'
import { CallStore } from './calls/call-store.js'
import { CallsPerSecond } from './calls/calls-per-second.js'
import { callEndpoints } from './calls/calls.routes.js'
import { Hunt } from './calls/hunt.js'
import { queueEndpoints } from './calls/queue/queue.routes.js'
import { QueueStore } from './calls/queue/queue-store.js'
import { TeamQueues } from './calls/queue/team-queues.js'
import { TeamMembers } from './calls/team-members.js'
import { Phones } from './calls/phones.js'
import { Programs } from './calls/program-store.js'
import type { Config } from './config.js'
import { AddressBookService } from './contacts/address-book.service.js'
import { ContactService } from './contacts/contact.service.js'
import { contactEndpoints } from './contacts/contacts.routes.js'
import { Database } from './database/database.js'
import { Idempotency } from './database/idempotency.js'
import { OutboxWorker } from './database/outbox.js'
import { SecretBox } from './database/secrets.js'
import { GuardedClient } from './http-client/guarded-client.js'
import { NextHops } from './http-client/next-hops.js'
import { EdgeClient } from './edge/edge-client.js'
import { entities } from './entities.js'
import { Destinations } from './extensions/destinations.js'
import { ExtensionService } from './extensions/extension.service.js'
import { extensionEndpoints } from './extensions/extensions.routes.js'
import type { Endpoint } from './http/endpoint.js'
import { httpApp } from './http/http-app.js'
import { openApiDocument } from './http/openapi.js'
import { type Health, type PartState, pages } from './http/pages.js'
import { PublicUrls } from './http/public-urls.js'
import { AudioService } from './media/audio.service.js'
import { audioEndpoints } from './media/audios.routes.js'
import { Speech } from './media/speech.js'
import { PhoneNumberService, maxNumbers } from './phone-numbers/phone-number.service.js'
import { phoneNumberEndpoints } from './phone-numbers/phone-numbers.routes.js'
import { Recordings } from './recordings/recordings.js'
import { recordingEndpoints } from './recordings/recordings.routes.js'
import { Registrations } from './sip-accounts/registrations.js'
import { SipAccountService } from './sip-accounts/sip-account.service.js'
import { sipAccountEndpoints } from './sip-accounts/sip-accounts.routes.js'
import { PushCredentialService } from './push/push-credential.service.js'
import { pushCredentialEndpoints } from './push/push-credentials.routes.js'
import { CarrierDns } from './sip-trunks/carrier-dns.js'
import { InboundAclResolver } from './sip-trunks/inbound-acl-resolver.js'
import { InboundAclService } from './sip-trunks/inbound-acl.service.js'
import { OutboundGatewayService } from './sip-trunks/outbound-gateway.service.js'
import { sipTrunkEndpoints } from './sip-trunks/sip-trunks.routes.js'
import { ChannelRecordings } from './switch/channel-recordings.js'
import { EndedChannels } from './switch/ended-channels.js'
import { SwitchLink } from './switch/switch-link.js'
import { Switchboard } from './switch/switchboard.js'
import { MembershipService } from './teams/membership.service.js'
import { TeamService } from './teams/team.service.js'
import { teamEndpoints } from './teams/teams.routes.js'
import { apiVersion } from './version.js'
import { Catalogue } from './voice-agents/catalogue.js'
import { VoiceAgentTools } from './voice-agents/voice-agent-tool.service.js'
import { voiceAgentToolEndpoints } from './voice-agents/voice-agent-tools.routes.js'
import { voiceAgentVersionEndpoints } from './voice-agents/voice-agent-versions.routes.js'
import { VoiceAgentVersions } from './voice-agents/voice-agent-versions.service.js'
import { VoiceAgentService, maxVoiceAgents } from './voice-agents/voice-agent.service.js'
import { voiceAgentEndpoints } from './voice-agents/voice-agents.routes.js'
import { Webhooks } from './webhooks/webhooks.js'
import { webhookEndpoints } from './webhooks/webhooks.routes.js'
import { auditLogEndpoints } from './workspaces/audit-log.routes.js'
import { AuditLogService } from './workspaces/audit-log.service.js'
import { ApiKeyService } from './workspaces/api-key.service.js'
import { CreditService } from './workspaces/credit.service.js'
import { InUse } from './workspaces/in-use.js'
import { profileEndpoints } from './workspaces/profile.routes.js'
import { ProfileService } from './workspaces/profile.service.js'
import { usageEndpoints } from './workspaces/usage.routes.js'
import { UsageService } from './workspaces/usage.service.js'
import { WorkspaceService } from './workspaces/workspace.service.js'
import { workspaceEndpoints } from './workspaces/workspaces.routes.js'

/** Calls that are placed at once; each takes a few milliseconds of the switch. */
const placedAtOnce = 20
const placeLeaseMs = 10_000
const placeRetryMs = 1_000

/** How long requests under way may take to finish when the server stops. */
const drainMs = 10_000

const sweepMs = 3_600_000

/** A server, wired and not yet started. */
export class App {
  readonly endpoints: readonly Endpoint[]
  readonly database: Database
  private readonly log: Logger
  private readonly link: SwitchLink
  private readonly edge: EdgeClient
  private readonly registrations: Registrations
  private readonly aclResolver: InboundAclResolver
  private readonly sessions: CallSessions
  private readonly worker: OutboxWorker
  private readonly idempotency: Idempotency
  private readonly workspaces: WorkspaceService
  private readonly apiKeys: ApiKeyService
  private readonly audios: AudioService
  private readonly avatars: Avatars
  private readonly auditLog: AuditLogService
  private readonly client: GuardedClient
  private readonly webhooks: Webhooks
  private readonly callbacks: Callbacks
  private readonly flowVersions: FlowVersions
  private readonly recordings: Recordings
  private http: Server | undefined
  private sweepTimer: NodeJS.Timeout | undefined
  private draining = false

  constructor(private readonly config: Config) {
    const log = pino({
      level: config.log.level,
      redact: ['*.password', '*.secret', '*.authorization', 'err.parameters', 'err.sql', 'err.query'],
    })
    this.log = log
    const database = new Database(config.database, entities)
    const secrets = new SecretBox(config.secret_key)
    const { limits } = config
    const inUse = new InUse()
    const apiKeys = new ApiKeyService(database, secrets, inUse, limits.api_keys)
    const credit = new CreditService(database)
    const workspaces = new WorkspaceService(database, credit)
    const urls = new PublicUrls(config.http.public_url)
    const avatars = new Avatars(database, config.media.directory, urls)
    const softphones = new RegisteredSoftphones(database, config.edge.sip_domain)
    const states = new AgentStates([softphones, new AgentsInCalls(database)])
    const edge = new EdgeClient(config.edge.rpc_url, config.edge.rpc_secret)
    const registrations = new Registrations(database, edge, log)
    const agents = new AgentService(
      { database, states, avatars, registrations, inUse },
      { sipDomain: config.edge.sip_domain, limit: limits.agents },
    )
    const agentPresenter = new AgentPresenter(states, avatars, config.edge.sip_domain)
    const teams = new TeamService(database, inUse, limits.teams)
    const memberships = new MembershipService(database, teams, agents)
    const carrierDns = new CarrierDns(config.sip_trunks.dns_servers)
    const aclResolver = new InboundAclResolver(database, carrierDns, log)
    const inboundAcls = new InboundAclService(database, inUse, limits.inbound_acls, () => aclResolver.wake())
    const outboundGateways = new OutboundGatewayService(database, secrets, inUse, limits.outbound_gateways)
    const phoneNumbers = new PhoneNumberService(
      database,
      inboundAcls,
      outboundGateways,
      inUse,
      new CallFlowTriggers(),
      config.calls.default_fee_per_minute,
    )
    const sipAccounts = new SipAccountService(
      { database, phoneNumbers, registrations, inUse },
      { sipDomain: config.edge.sip_domain, limit: limits.sip_accounts },
    )
    const speech = new Speech(config.media)
    const audios = new AudioService(database, config.media, speech, inUse, limits.audios)
    const catalogue = new Catalogue(config.voice_agents)
    const versions = new VoiceAgentVersions(database, catalogue)
    const tools = new VoiceAgentTools(database, secrets, versions, limits.voice_agent_tools)
    const voiceAgents = new VoiceAgentService(database, inUse, versions, tools)
    const destinations = new Destinations({ agents, avatars, teams, memberships, sipAccounts, voiceAgents })
    const extensions = new ExtensionService(database, inUse, limits.extensions)
    const pushCredentials = new PushCredentialService(database, secrets, inUse, limits.push_credentials)
    const link = new SwitchLink(config.switch, log)
    const switchboard = new Switchboard(link)
    const journal = new EndedChannels(config.switch.journal)
    const auditLog = new AuditLogService(database, config.audit_log.kept_days)
    const client = new GuardedClient(config.http_client)
    const webhooks = new Webhooks({
      ...{ database, secrets, client, log },
      settings: config.webhooks,
      limit: config.limits.webhooks,
    })
    const callLimits = new CallLimits({
      limitsOf: async (id) => workspaces.find(id),
      defaults: {
        maxConcurrent: config.calls.max_concurrent,
        maxPerSecond: config.calls.max_per_second,
        maxPerAccount: config.calls.max_concurrent_per_account,
      },
      perSecond: new CallsPerSecond(),
    })
    workspaces.alsoMake(async (tx, workspace) => callLimits.open(tx, workspace))
    const store = new CallStore(database, credit, webhooks.events, callLimits)
    const phones = new Phones({ sipAccounts, agents, extensions })
    const routing = new CallRouting({
      ...{ phoneNumbers, outboundGateways, phones },
      limits: callLimits,
      nextHops: new NextHops(config.http_client),
      sipDomain: config.edge.sip_domain,
    })
    const claims = new AgentClaims(switchboard)
    const hunt = new Hunt(store, switchboard, claims, `${config.edge.sip_host}:${config.edge.sip_port}`)
    const members = new TeamMembers(database, teams, softphones, phones, routing)
    const queueStore = new QueueStore(database)
    const queues = new TeamQueues({ store: queueStore, members, claims, log })
    const recordings = new Recordings({
      ...{ database, log, switch: new ChannelRecordings(link) },
      ...{ settings: config.recordings, mediaDirectory: config.media.directory },
      events: webhooks.events,
      note: async (tx, { id }, event, details) => store.noteOf(tx, id, event, details),
      quotaOf: async (id) => {
        const workspace = await workspaces.find(id)
        const { call_recording, call_internal_recording } = workspace ?? {}
        return { external: call_recording ?? false, internal: call_internal_recording ?? false }
      },
      checkCall: async (workspace, id) => {
        await calls.get(workspace, id)
      },
      retentionOf: async ({ id }) => (await workspaces.find(id))?.recording_retention_days ?? null,
      retentions: async () => workspaces.recordingRetentions(),
    })
    const actions = {
      routing,
      members,
      queues,
      recorder: recordings.calls,
      media: {
        audioFile: async (workspace: { id: string }, id: string) => audios.fileOf(workspace, id),
        speechFile: async (text: string, options: { voice?: string; speed?: number }) =>
          speech.render({ text, ...options }),
        hasVoice: async (voice: string) => speech.checkVoice(voice),
      },
    }
    const flowVersions = new FlowVersions(database)
    const programs = new Programs(database)
    const contacts = new ContactService(database, limits.contacts)
    const callbacks = new Callbacks({
      ...{ database, secrets, client, actions, contacts, store, log },
      replaceActions: async (call, script) => {
        const revision = await programs.replace(call, script, call.script_revision)
        if (revision !== null) this.sessions.find(call.id)?.replaceScript?.(script, revision)
      },
    })
    const { contactLookup, jsonCallAction } = callbacks
    const flows = new FlowPrograms(flowVersions, nodeRunners({ contactLookup, jsonCallAction, phones }))
    const sessions = new CallSessions({
      ...{
        programs,
        flows,
        database,
        store,
        hunt,
        claims,
        actions,
        phones,
        phoneNumbers,
        credit,
        link,
        switchboard,
        journal,
        log,
      },
      tellKeys: async (call, keys, url) => callbacks.ivr.tell(call, keys, url),
      limits: callLimits,
      countryOf: async (id: string) => (await workspaces.find(id))?.country_code ?? null,
      edgeAddress: config.edge.sip_host,
      ringTimeout: config.calls.ring_timeout,
    })
    const idempotency = new Idempotency(database)
    const calls = new CallService({
      ...{ database, store, sessions, programs, flows, credit, actions, phoneNumbers, idempotency },
      limits: callLimits,
      worker: () => this.worker,
    })
    const callFlows = new CallFlowService({
      ...{ database, inUse, actions, versions: flowVersions },
      max: limits.call_flows,
    })
    const names = new FlowNames({ agents, audios, extensions, outboundGateways, teams, voiceAgents })
    const simulator = new CallFlowSimulator({ callFlows, actions, contacts, extensions, names })
    const addressBooks = new AddressBookService({ database, inUse, max: limits.address_books })
    const profiles = new ProfileService({
      ...{ database, workspaces, credit },
      calls: config.calls,
      limits: { phone_numbers: maxNumbers, voice_agents: maxVoiceAgents, ...limits },
      liveCalls: async (workspace) => store.countLive(workspace),
    })
    const usage = new UsageService(database)
    workspaces.removeFirst(async (tx, workspace) => {
      await recordings.service.deleteAll(tx, workspace)
      await callFlows.deleteReferences(tx, workspace)
      await extensions.deleteAll(tx, workspace)
      await agents.deleteAll(tx, workspace)
      await sipAccounts.deleteAll(tx, workspace)
      await contacts.deleteAll(tx, workspace)
      await addressBooks.deleteAll(tx, workspace)
      await phoneNumbers.deleteAll(tx, workspace)
      await pushCredentials.deleteAll(tx, workspace)
      await webhooks.service.deleteAll(tx, workspace)
      await apiKeys.revokeAll(tx, workspace)
    })
    workspaces.guardDeletion(async (workspace) => {
      const live = await store.countLive(workspace)
      return live > 0 ? `The workspace has ${live} live calls` : null
    })
    this.worker = new OutboxWorker(
      database,
      placeCallJob,
      async (job) => sessions.place(job),
      { concurrency: placedAtOnce, leaseMs: placeLeaseMs, retryMs: placeRetryMs },
      log,
    )
    this.endpoints = [
      ...workspaceEndpoints({ workspaces, apiKeys, credit }),
      ...profileEndpoints({ profiles }),
      ...signingSecretEndpoints(callbacks),
      ...usageEndpoints({ usage }),
      ...agentEndpoints({ agents, presenter: agentPresenter }),
      ...teamEndpoints({ teams, memberships, agentPresenter }),
      ...queueEndpoints({ teams, queue: queueStore }),
      ...sipTrunkEndpoints({ inboundAcls, outboundGateways }),
      ...phoneNumberEndpoints({ phoneNumbers, inboundAcls, outboundGateways, workspaces }),
      ...sipAccountEndpoints({ sipAccounts }),
      ...extensionEndpoints({ extensions, destinations }),
      ...audioEndpoints({ audios }),
      ...callEndpoints({ calls }),
      ...callFlowEndpoints({ callFlows, simulator }),
      ...recordingEndpoints({ recordings: recordings.service, retention: recordings.retention }),
      ...contactEndpoints({ contacts, addressBooks }),
      ...voiceAgentEndpoints({ voiceAgents, catalogue }),
      ...voiceAgentVersionEndpoints({ voiceAgents, versions, catalogue }),
      ...voiceAgentToolEndpoints({ voiceAgents, tools }),
      ...pushCredentialEndpoints({ pushCredentials }),
      ...auditLogEndpoints({ auditLog }),
      ...webhookEndpoints({ webhooks: webhooks.service, deliveries: webhooks.deliveries }),
    ]
    this.database = database
    this.link = link
    this.edge = edge
    this.registrations = registrations
    this.aclResolver = aclResolver
    this.sessions = sessions
    this.idempotency = idempotency
    this.workspaces = workspaces
    this.apiKeys = apiKeys
    this.audios = audios
    this.avatars = avatars
    this.auditLog = auditLog
    this.client = client
    this.webhooks = webhooks
    this.callbacks = callbacks
    this.flowVersions = flowVersions
    this.recordings = recordings
  }

  /** The API described; needs no database. */
  openApi(): object {
    return openApiDocument(this.endpoints, apiVersion)
  }

  /** Connects, takes up the calls that live, and serves. @throws when the database or the port refuses */
  async start(): Promise<void> {
    await this.database.connect()
    await Promise.all([this.audios.start(), this.avatars.start(), this.recordings.start()])
    this.link.start()
    this.sessions.start()
    this.worker.start()
    this.registrations.start()
    this.aclResolver.start()
    this.webhooks.worker.start()
    this.callbacks.worker.start()
    this.sweep()
    this.sweepTimer = setInterval(() => this.sweep(), sweepMs)
    await this.listen()
    this.log.info({ port: this.config.http.port }, 'serving')
  }

  /** Finishes what is under way and leaves live calls to the switch and the next process. */
  async stop(): Promise<void> {
    this.draining = true
    clearInterval(this.sweepTimer)
    // Attempts under way take as long as requests may: neither waits for the other.
    await Promise.all([this.closeHttp(), this.webhooks.worker.stop(), this.callbacks.worker.stop()])
    const { worker, registrations, aclResolver, recordings } = this
    await Promise.all([worker, registrations, aclResolver, recordings].map(async (part) => part.stop()))
    this.client.close()
    await this.sessions.stop()
    this.link.stop()
    await this.database.close()
  }

  async health(): Promise<Health> {
    const [database, edge] = await Promise.all([
      this.database.isUp(),
      this.edge.isConfigured ? this.edge.isUp() : null,
    ])
    const state = (up: boolean): PartState => (up ? 'up' : 'down')
    const parts: Record<string, PartState> = {
      database: state(database),
      switch: state(this.link.isUp),
      ...(edge !== null && { edge: state(edge) }),
    }
    const healthy = Object.values(parts).every((part) => part === 'up')
    return { status: this.draining ? 'draining' : healthy ? 'ok' : 'degraded', parts }
  }

  private sweep(): void {
    const { idempotency, webhooks, auditLog, flowVersions, recordings } = this
    for (const part of [idempotency, webhooks, auditLog, flowVersions, recordings]) {
      part.sweep().catch((error: unknown) => this.log.warn({ err: error }, 'sweep failed'))
    }
  }

  private async listen(): Promise<void> {
    const koa = httpApp({
      endpoints: this.endpoints,
      directory: {
        findWorkspace: async (id) => this.workspaces.find(id),
        checkApiKey: async (workspaceId, sid, secret) => this.apiKeys.check(workspaceId, sid, secret),
      },
      operatorToken: this.config.operator_token,
      baseDomain: this.config.base_domain,
      rateLimits: this.config.rate_limits,
      log: this.log,
      pages: [
        pages({ document: this.openApi(), health: async () => this.health() }),
        avatarPages(this.avatars),
      ],
    })
    const answer = koa.callback()
    const server = createServer((request, response) => void answer(request, response))
    server.requestTimeout = 60_000
    server.headersTimeout = 15_000
    server.keepAliveTimeout = 65_000
    this.http = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.config.http.port, this.config.http.host, resolve)
    })
  }

  private async closeHttp(): Promise<void> {
    const { http } = this
    if (!http) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => http.closeAllConnections(), drainMs)
      http.close(() => {
        clearTimeout(timer)
        resolve()
      })
      http.closeIdleConnections()
    })
  }
}
