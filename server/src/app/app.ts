/** A server: starts its parts, serves, and stops them. */
import { randomUUID } from 'node:crypto'
import { type Logger, pino } from 'pino'
import { avatarPages } from '../features/agents/avatar-pages.js'
import type { Config } from '../config/config.js'
import { Database } from '../infrastructure/database/database.js'
import type { Endpoint } from '../infrastructure/http/endpoint.js'
import { inBackground, reading } from '../infrastructure/database/pool-use.js'
import { httpApp } from '../infrastructure/http/http-app.js'
import { HttpServers } from '../infrastructure/http/http-servers.js'
import { openApiDocument } from '../infrastructure/http/openapi.js'
import { docPages } from '../infrastructure/http/doc-pages.js'
import { type Health, type PartState, pages } from '../infrastructure/http/pages.js'
import { inTime, sharedResult } from '../infrastructure/http/shared-result.js'
import { carrierPostPages } from '../features/messages/carrier-posts/carrier-post-pages.js'
import { mediaPages } from '../features/messages/media/media-pages.js'
import { logDestination } from '../infrastructure/observability/log-destination.js'
import { LiveRequests } from '../features/calls/cluster/live-requests.js'
import { RemoteClientLegs } from '../features/calls/cluster/remote-client-legs.js'
import { CallSockets } from '../features/calls/clients/call-sockets.js'
import type { Streams } from '../features/realtime/streams.js'
import { Tracing } from '../infrastructure/observability/tracing.js'
import { apiVersion } from '../lib/version.js'
import { type Calls, wireCalls } from './modules/calls.js'
import { wireConversations } from './modules/conversations.js'
import { type Core, wireCore } from './modules/core.js'
import { endpointsOf } from './modules/endpoints.js'
import { type Evaluations, wireEvaluations } from './modules/evaluations.js'
import { type Maintenance, wireMaintenance } from './modules/maintenance.js'
import { type Messages, wireMessages } from './modules/messages.js'
import { type Measured, wireMetrics } from './modules/metrics.js'
import { wireOperator } from './modules/operator.js'
import { type Resources, wireResources } from './modules/resources.js'
import { type SipCapture, wireSipCapture } from './modules/sip-capture.js'
import { type Retention, wireRetention } from './modules/retention.js'
import { wireStreams } from './modules/streams.js'
import { wireWorkspaceDeletion } from './modules/workspace-deletion.js'
import { lifecycleOf } from './parts.js'

const sweepMs = 3_600_000

/** What `GET /health` answers was found out no longer ago than this, and what has not answered in time is down. */
const healthMs = 1_000
const healthDeadlineMs = 3_000

/** A server, wired and not yet started. */
export class App {
  readonly endpoints: readonly Endpoint[]
  private readonly log: Logger
  private readonly core: Core
  private readonly resources: Resources
  readonly messages: Messages
  private readonly calls: Calls
  private readonly retention: Retention
  private readonly workspaceDeletion: ReturnType<typeof wireWorkspaceDeletion>
  private readonly evaluations: Evaluations
  private readonly callSockets: CallSockets
  private readonly streams: Streams
  private readonly liveRequests: LiveRequests
  private readonly measured: Measured
  private readonly maintenance: Maintenance
  private readonly sipCapture: SipCapture
  private readonly tracing: Tracing
  private readonly lifecycle: ReturnType<typeof lifecycleOf>
  private http: HttpServers | undefined
  private sweepTimer: NodeJS.Timeout | undefined
  private isStopping = false
  private operatorToken: string
  private readonly databaseIsUp = sharedResult(healthMs, async () => this.core.database.isUp())
  private readonly edgeIsUp = sharedResult(healthMs, async () => this.core.edge.isUp())

  constructor(private readonly config: Config) {
    this.tracing = new Tracing(config.traces, { version: apiVersion, serverId: randomUUID() })
    const log = pino(
      {
        level: config.log.level,
        ...(this.tracing.isOn && { mixin: this.tracing.fieldsOf }),
        redact: ['*.password', '*.secret', '*.authorization', 'err.parameters', 'err.sql', 'err.query'],
      },
      logDestination(),
    )
    this.log = log
    this.core = wireCore(config, log)
    this.operatorToken = config.operator_token
    this.resources = wireResources(config, log, this.core)
    this.messages = wireMessages(config, log, this.core, this.resources)
    this.maintenance = wireMaintenance(log, this.core)
    this.calls = wireCalls(config, log, this.core, this.resources, this.messages, this.maintenance)
    this.retention = wireRetention(config, log, this.core, this.resources, this.calls, this.messages)
    this.workspaceDeletion = wireWorkspaceDeletion(
      ...([log, this.core, this.resources, this.calls, this.messages, this.retention] as const),
    )
    const { servers, driver } = this.core
    const { credentials, sessions } = this.resources
    const { cellOf } = this.calls
    this.callSockets = new CallSockets(
      {
        clientLegs: new RemoteClientLegs(this.calls.clientLegs, servers, driver, async (id) =>
          cellOf('call', id),
        ),
        ...{ credentials, log },
      },
      { baseDomain: config.base_domain, trustedProxies: config.http.trusted_proxies },
    )
    sessions.on('ended', (credential) => this.callSockets.revoke(credential))
    driver.on('moved', (cell) => {
      if (cell === driver.cell) this.callSockets.retry()
    })
    this.liveRequests = new LiveRequests(servers, driver, cellOf)
    this.streams = wireStreams(config, log, this.core, this.resources, this.calls)
    const conversations = wireConversations(this.core, this.resources, this.messages)
    this.evaluations = wireEvaluations(log, this.core, this.resources)
    const operator = wireOperator(config, this.core, this.resources, this.messages, () => this.operatorToken)
    this.sipCapture = wireSipCapture(config, log, this.core)
    this.measured = wireMetrics(config, this.core, this.resources, operator, () => ({
      callSockets: this.callSockets.count,
      draining: this.maintenance.drain.isOn,
      captureDropped: this.sipCapture.store.dropped,
      spans: this.tracing.isOn ? this.tracing.counts : null,
    }))
    this.endpoints = endpointsOf(
      ...([config, this.core, this.resources, this.messages, conversations] as const),
      ...([this.calls, this.streams, this.evaluations, operator] as const),
      ...([this.measured, this.maintenance, this.sipCapture, this.retention] as const),
    )
    this.liveRequests.serve(this.endpoints)
    const { core, resources, messages, calls, retention, workspaceDeletion, evaluations } = this
    const { callSockets, streams, measured, maintenance, sipCapture, tracing } = this
    this.lifecycle = lifecycleOf(
      {
        ...{ core, resources, messages, calls, retention, workspaceDeletion, evaluations },
        ...{ callSockets, streams, measured, maintenance, sipCapture, tracing },
      },
      this.ownSteps(),
      log,
    )
  }

  private ownSteps(): Parameters<typeof lifecycleOf>[1] {
    return {
      warn: async () => {
        await this.warnOfUnverified()
        await this.warnOfUnreachable()
      },
      followCell: () => {
        if (this.drivesSwitch) this.followCell()
      },
      startSweeps: () => {
        this.sweep()
        this.sweepTimer = setInterval(() => this.sweep(), sweepMs)
      },
      stopSweeps: () => clearInterval(this.sweepTimer),
      listen: async () => this.listen(),
      close: async () => this.http?.close(),
    }
  }

  get database(): Database {
    return this.core.database
  }

  /** The API described; needs no database. */
  openApi(): object {
    return openApiDocument(this.endpoints, apiVersion)
  }

  /** Connects, recovers the calls that live, and serves. @throws when the database or the port refuses */
  async start(): Promise<void> {
    await this.lifecycle.start()
    this.log.info({ event: 'server.ready', port: this.config.http.port }, 'serving')
  }

  /** Drives the switch while the cell is ours. */
  private followCell(): void {
    const { cells, link } = this.core
    cells.whenOurs(() => {
      if (!this.isStopping) link.start()
    })
    cells.on('lost', () => {
      this.log.error(
        { event: 'cell.taken_over', cell: cells.name },
        'another switch uses the name of this cell: this one is released',
      )
      void this.releaseSwitch()
    })
  }

  /** Its calls end: the holder of the cell's name ends them in the database, and any time after that would be free. */
  private async releaseSwitch(): Promise<void> {
    const { link } = this.core
    await link.api('hupall NORMAL_TEMPORARY_FAILURE').catch(() => undefined)
    await link.stop()
  }

  /** Takes the keys and the operator's token of a reloaded configuration; its other settings stay. */
  renewSecrets({ secret_key, secret_key_old, operator_token }: Config): void {
    this.core.keys.replace(secret_key, secret_key_old)
    // What is kept may be sealed with a key that is gone.
    this.core.kept.forgetAll()
    this.operatorToken = operator_token
    this.log.info(
      { event: 'server.secrets_reloaded', keys: this.core.keys.all.map(({ id }) => id) },
      'secrets renewed',
    )
  }

  /** Finishes what is under way and leaves live calls to the switch and the next process, within `stopDeadlineMs`. */
  async stop(): Promise<void> {
    this.isStopping = true
    await this.lifecycle.stop()
  }

  async health(): Promise<Health> {
    const [database, edge] = await Promise.all([
      inTime(healthDeadlineMs, this.databaseIsUp(), false),
      this.core.edge.isConfigured ? inTime(healthDeadlineMs, this.edgeIsUp(), false) : null,
    ])
    const state = (up: boolean): PartState => (up ? 'up' : 'down')
    const needed: Record<string, PartState> = {
      database: state(database),
      ...(this.drivesSwitch && { switch: state(this.core.link.isUp || this.core.link.isStandby) }),
      ...(edge !== null && { edge: state(edge) }),
    }
    // Without Redis each server works on its own: taking one away for that would end its calls.
    const parts = { ...needed, ...(this.config.redis.url && { redis: state(this.core.hub.isShared) }) }
    const allUp = (some: Record<string, PartState>) => Object.values(some).every((part) => part === 'up')
    const canServe = allUp(needed)
    const isDraining = this.isStopping || (canServe && this.maintenance.drain.isOn)
    return {
      status: isDraining ? 'draining' : allUp(parts) ? 'ok' : 'degraded',
      serves: canServe && !this.isStopping,
      parts,
    }
  }

  /** Whether it does, or would where no other server did. */
  private get drivesSwitch(): boolean {
    return this.config.switch.drive === 'true'
  }

  private sweep(): void {
    const { idempotency, alerts, keptBytes: storedBytes, entries } = this.core
    const { flowVersions, recordings, voiceAgentRecovery } = this.calls
    const { sessions, devices, notices, knownDevices, invitations } = this.resources
    const { inbound, media } = this.messages
    const parts = [
      idempotency,
      alerts,
      entries,
      this.retention.sweep,
      this.sipCapture.removals,
      flowVersions,
      recordings,
      sessions,
      devices,
      notices,
      invitations,
      knownDevices,
      inbound,
      media.uploads,
      storedBytes,
      voiceAgentRecovery,
      this.calls.numberVerification,
    ]
    for (const part of parts) {
      inBackground('', async () => part.sweep()).catch((error: unknown) =>
        this.log.warn({ event: 'server.sweep_failed', err: error }, 'sweep failed'),
      )
    }
  }

  private async warnOfUnverified(): Promise<void> {
    const acls = await this.resources.inboundAcls.countUnverifiable()
    if (acls > 0)
      this.log.error(
        { event: 'acl.not_verifiable', acls },
        'inbound ACLs refuse all calls: callers cannot be verified without JACKFIELD_STIR_CA_FILE',
      )
  }

  private async warnOfUnreachable(): Promise<void> {
    const gateways = await this.resources.outboundGateways.unreachable()
    if (gateways.length > 0)
      this.log.error(
        { event: 'gateway.private_address', gateways: gateways.slice(0, 10), count: gateways.length },
        'gateways lead to private addresses, and their calls fail: JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS allows networks',
      )
  }

  private async listen(): Promise<void> {
    const koa = httpApp({
      endpoints: this.endpoints,
      directory: {
        findWorkspace: async (id) => this.core.workspaces.find(id),
        checkApiKey: async (workspaceId, sid, secret) => this.core.apiKeys.check(workspaceId, sid, secret),
        checkToken: async (workspace, token) => this.resources.bearers.check(workspace, token),
        checkEntry: async (workspace, token) => this.core.entries.check(workspace, token),
      },
      operatorToken: () => this.operatorToken,
      baseDomain: this.config.base_domain,
      urls: this.core.urls,
      rateLimits: this.config.rate_limits,
      counters: this.core.counters,
      run: async (endpoint, context, origin) => {
        const handle = async () => this.liveRequests.handle(endpoint, context, origin)
        if (endpoint.method === 'GET') return reading(context.workspace?.id ?? '', handle)
        try {
          return await handle()
        } finally {
          await Promise.all([this.core.kept.settled(), this.core.numbersAtEdges.settled()])
        }
      },
      trail: this.core.trail,
      trustedProxies: this.config.http.trusted_proxies,
      log: this.log,
      pages: [
        pages({ document: () => this.openApi(), health: async () => this.health() }),
        docPages(),
        avatarPages(this.resources.avatars),
        mediaPages(this.messages.media.store, this.config.base_domain),
      ],
      posts: [
        carrierPostPages({
          ...{ posts: this.messages.carrierPosts, baseDomain: this.config.base_domain },
          maxRefused: this.config.rate_limits.default,
        }),
      ],
    })
    const answer = koa.callback()
    this.http = await HttpServers.make(
      this.config,
      (request, response) => void answer(request, response),
      this.log,
    )
    const { http } = this
    this.callSockets.serve(http.all, (server, request) => http.mayUpgrade(server, request))
    await this.http.listen()
  }
}
