/** What every feature needs: the database, the links to switch and edge, workspaces and their events. */
import { isIPv6 } from 'node:net'
import { type Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { AlertService } from '../../features/alerts/alert.service.js'
import { FraudWatch } from '../../features/alerts/fraud-watch.js'
import { SpendWatch } from '../../features/alerts/spend-watch.js'
import { Database } from '../../infrastructure/database/database.js'
import { Idempotency } from '../../infrastructure/database/idempotency.js'
import { Keyring } from '../../infrastructure/database/keyring.js'
import { SecretBox } from '../../infrastructure/database/secrets.js'
import { CallTokens } from '../../infrastructure/tokens/call-tokens.js'
import { AuditTrail } from '../../infrastructure/database/audit-trail.js'
import { SecurityLog } from '../../infrastructure/observability/security-log.js'
import { ClientTokens } from '../../infrastructure/tokens/client-tokens.js'
import { Tokens } from '../../infrastructure/tokens/tokens.js'
import { GuardedClient } from '../../infrastructure/http-client/guarded-client.js'
import { EdgeClient } from '../../adapters/kamailio/edge-client.js'
import { Edges } from '../../adapters/kamailio/edges.js'
import { EdgeEvents } from '../../adapters/kamailio/edge-events.js'
import { entities } from '../entities.js'
import type { SharedCounters } from '../../infrastructure/http/shared-counters.js'
import { PublicUrls } from '../../infrastructure/http/public-urls.js'
import { StoredBytes } from '../../features/workspaces/kept-bytes.js'
import { Mailer } from '../../infrastructure/mail/mailer.js'
import { Registrations } from '../../features/sip-accounts/registrations.js'
import { NumbersAtEdges } from '../../features/sip-trunks/numbers-at-edges.js'
import { accountsDomain, agentsDomain } from '../../features/workspaces/sip-domains.js'
import { CellService } from '../../features/cells/cell.service.js'
import { Cells } from '../../features/cells/cells.js'
import { OwnSwitch } from '../../features/cells/own-switch.js'
import { OwnConnection } from '../../infrastructure/database/own-connection.js'
import { CallOwnership } from '../../features/calls/cluster/call-ownership.js'
import { RedisCounters } from '../../features/cluster/redis-counters.js'
import { KeptRows } from '../../features/cluster/kept-rows.js'
import { Servers } from '../../features/cluster/servers.js'
import { type Bus, LocalBus } from '../../features/realtime/bus.js'
import { RedisBus } from '../../features/realtime/redis-bus.js'
import { RetentionPolicy } from '../../features/workspaces/retention-policy.js'
import { Stir } from '../../adapters/stir-shaken/stir.js'
import { EventHub } from '../../features/realtime/event-hub.js'
import { EndedChannels } from '../../adapters/freeswitch/ended-channels.js'
import { SwitchLease } from '../../adapters/freeswitch/switch-lease.js'
import { SwitchLink } from '../../adapters/freeswitch/switch-link.js'
import { Switchboard } from '../../adapters/freeswitch/switchboard.js'
import { LegAnswerer } from '../../adapters/freeswitch/leg-answerer.js'
import { Webhooks } from '../../features/webhooks/webhooks.js'
import { AuditLogService } from '../../features/workspaces/audit-log.service.js'
import { ApiKeyService } from '../../features/workspaces/api-key.service.js'
import { OperatorEntries } from '../../features/workspaces/operator-entries.js'
import { CreditService } from '../../features/workspaces/credit.service.js'
import { InUse } from '../../infrastructure/resources/in-use.js'
import { WorkspaceService } from '../../features/workspaces/workspace.service.js'

/** A beat that takes longer is worth nothing: the next one is due. */
const beatDeadlineMs = 3_000

/** Topic of changes of cells. */
const cellsTopic = 'cells'

export function wireCore(config: Config, log: Logger) {
  const database = new Database(config.database, entities)
  const keys = new Keyring(config.secret_key, config.secret_key_old)
  const secrets = new SecretBox(keys)
  const { limits } = config
  const inUse = new InUse()
  const apiKeys = new ApiKeyService(database, secrets, inUse, limits.api_keys)
  const credit = new CreditService(database)
  const policy = new RetentionPolicy(config)
  const workspaces = new WorkspaceService(database, credit, policy, config.new_workspaces)
  const urls = new PublicUrls(config.http.public_url)
  const edge = new EdgeClient(config.edge.rpc_url, config.edge.rpc_secret)
  const edges = edgesOf(config, edge)
  const edgeEvents = new EdgeEvents(edges.clients, log)
  const registrations = new Registrations(database, edges, log)
  const numbersAtEdges = new NumbersAtEdges(edges.isConfigured ? edges.clients : [], log)
  numbersAtEdges.follow(database)
  const { bus, counters } = busOf(config, log)
  const hub = new EventHub(bus, log)
  const servers = new Servers(bus, hub, log)
  const isShared = config.redis.url !== ''
  const kept = new KeptRows({
    ...{ servers, isShared },
    others: () => hub.servers.others,
    isUp: () => bus.isUp,
  })
  kept.follow(database)
  kept.onChanged((table, id) => {
    if (table === 'workspaces') workspaces.forget(id)
    if (table === 'workspaces' || table === 'api_keys') apiKeys.forget({ id })
  })
  workspaces.whenSuspended(({ id }) => hub.close({ workspace_id: id }, 'workspace_suspended'))
  const link = new SwitchLink(config.switch, log, isShared ? new SwitchLease(bus.serverId) : null)
  const driver = new CallOwnership(servers, link, isShared, config.cell)
  const mayDrive = config.switch.drive === 'true'
  const own = {
    name: config.cell,
    switchAddress: config.switch.sip_address,
    serverId: bus.serverId,
    mayDrive,
  }
  const cells = new Cells(
    new OwnConnection(config.database, beatDeadlineMs),
    { ...own, drives: () => mayDrive && driver.isHere, isUp: () => link.isUp, heardAt: () => link.heardAt },
    log,
  )
  const ownSwitch = new OwnSwitch({
    link,
    sipAddress: config.switch.own_sip_address || config.switch.sip_address,
    mayDrive: () => cells.mayDrive,
  })
  const cellService = new CellService({
    database,
    changed: async () => {
      servers.share(cellsTopic, null)
      await cells.refresh()
    },
  })
  servers.onShared(cellsTopic, () => cells.soon())
  link.on('up', () => cells.soon())
  link.on('down', () => cells.soon())
  const answerer = new LegAnswerer({ port: config.switch.app_port }, log)
  const switchboard = new Switchboard(link, answerer)
  const journal = new EndedChannels(config.switch.journal)
  const storedBytes = new StoredBytes({
    database,
    maxOf: async (id) => (await workspaces.find(id))?.max_storage_mb ?? null,
    defaultMegabytes: config.media.storage_mb,
    directory: config.media.directory,
    minFree: config.disk_min_mb * 1_048_576,
  })
  const auditLog = new AuditLogService(database)
  const security = new SecurityLog(config.log.security_file, config.log.security_max_mb * 1_000_000, log)
  const trail = new AuditTrail(database, security.logger, log)
  const client = new GuardedClient(config.http_client)
  const stir = new Stir({
    settings: config.stir,
    // Anybody who calls names these URLs: what customers' may lead to is not for them.
    httpClient: { ...config.http_client, allowed_networks: config.stir.allowed_networks },
    log,
  })
  const webhooks = new Webhooks({
    ...{ database, secrets, client, log },
    settings: config.webhooks,
    limit: limits.webhooks,
    kept: kept.own,
  })
  const idempotency = new Idempotency(database)
  const mailer = new Mailer(config.mail)
  const alerts = new AlertService({
    ...{ database, webhooks: webhooks.events, mailer, log },
    mailTo: config.mail.alerts_to,
  })
  const spendWatch = new SpendWatch(credit, alerts, log, config.alerts.refused_calls)
  const fraudWatch = new FraudWatch(database, alerts, log, config.alerts)
  const tokens = new Tokens(keys)
  const entries = new OperatorEntries(database, tokens, urls)
  const callTokens = new CallTokens(tokens)
  const clientTokens = new ClientTokens({
    signerOf: async (workspaceId, sid) => apiKeys.signerOf(workspaceId, sid),
    maxDays: config.client_tokens.max_days,
    domainsOf: (id) => [
      `${id}.${config.base_domain}`,
      accountsDomain(id, config.edge.sip_domain),
      agentsDomain(id, config.edge.sip_domain),
    ],
  })
  return {
    database,
    keys,
    secrets,
    inUse,
    apiKeys,
    credit,
    workspaces,
    policy,
    urls,
    edge,
    edges,
    edgeEvents,
    ...{ registrations, numbersAtEdges },
    ...{ servers, kept },
    counters,
    driver,
    ...{ cells, cellService, ownSwitch },
    link,
    answerer,
    switchboard,
    journal,
    auditLog,
    ...{ trail, security },
    keptBytes: storedBytes,
    client,
    stir,
    webhooks,
    hub,
    idempotency,
    mailer,
    ...{ alerts, spendWatch, fraudWatch },
    tokens,
    entries,
    callTokens,
    clientTokens,
  }
}

/** Servers that share a database may share a Redis with others: keys with this prefix are theirs alone. */
function busOf({ redis, base_domain }: Config, log: Logger): { bus: Bus; counters: SharedCounters | null } {
  if (!redis.url) return { bus: new LocalBus(), counters: null }
  const prefix = `jackfield:${base_domain}:`
  const bus = new RedisBus(redis.url, `${prefix}streams`, log)
  return { bus, counters: new RedisCounters(bus.publisher, prefix) }
}

export type Core = ReturnType<typeof wireCore>

function edgesOf({ edge }: Config, client: EdgeClient): Edges {
  const own = isIPv6(edge.sip_host) ? `[${edge.sip_host}]` : edge.sip_host
  const others = edge.others.map((address) => {
    const url = new URL(edge.rpc_url)
    url.hostname = hostOf(address)
    return { address, client: new EdgeClient(url.href, edge.rpc_secret) }
  })
  return new Edges({ address: `${own}:${edge.sip_port}`, client }, others)
}

/** The host of `host:port`, as it is written in a URL. */
function hostOf(address: string): string {
  return address.replace(/:\d+$/, '')
}
