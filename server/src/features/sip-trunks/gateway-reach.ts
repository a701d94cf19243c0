/** Which addresses of gateways answer: of our own edge in memory, for calls, and of all edges in the database, for people. */
import { In } from 'typeorm'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { Pong } from '../../adapters/kamailio/edge-pings.js'
import { grouped } from '../../lib/grouped.js'
import { hostInUri, nextHopUri } from '../../infrastructure/http-client/next-hops.js'
import type { SipTransport } from '../../infrastructure/http-client/sip-servers.js'
import type { FoundPlace } from './gateway-approval.js'
import { isSimulatedHost } from './gateway-addresses.js'
import { GatewayPing, type PingState } from './gateway-ping.entity.js'
import type { OutboundGateway } from './outbound-gateway.entity.js'

/** Intervals after which what was heard says nothing any more. */
const staleIntervals = 3

/** Rows are deleted when they have not been renewed for this time, as those of an edge that is gone. */
const retainedMs = 600_000

/** An OPTIONS: its request URI, and where it is sent. */
export interface Ping {
  to: string
  nextHop: string
}

/** What an address last said. */
export interface PingResult {
  state: Exclude<PingState, 'unknown'>
  statusCode: number | null
  roundTripMs: number
  since: Date
  checkedAt: Date
  /** How often in a row it has not answered. */
  failures: number
  /** The edge, `host:port`. */
  edge: string
}

/** An address of a gateway, as all edges together see it: reachable where one of them reaches it. */
export interface Reachability {
  host: string
  address: string | null
  port: number
  transport: SipTransport
  state: PingState
  status_code: number | null
  round_trip_ms: number | null
  since: Date | null
  checked_at: Date | null
}

/** What is sent to a place: the request URI of a call there, without a user. */
export function pingOf({ request_domain }: Pick<OutboundGateway, 'request_domain'>, place: FoundPlace): Ping {
  const port = request_domain === null && place.server === null ? `:${place.port}` : ''
  const host = hostInUri(request_domain ?? place.uri.uri)
  return { to: `sip:${host}${port};transport=${place.transport}`, nextHop: nextHopUri(place) }
}

/** RFC 3261: 408 and 503 are also what a proxy says of a carrier behind it that is silent. */
function isAnswer(status: number): boolean {
  return status !== 0 && status !== 408 && status !== 503
}

export class GatewayReach {
  private readonly heard = new Map<string, PingResult>()
  private readonly staleMs: number

  /** @param interval seconds from one ping of an address to the next */
  constructor(
    private readonly database: Database,
    interval: number,
  ) {
    this.staleMs = interval * 1000 * staleIntervals
  }

  /** What came of a ping. */
  record(ping: Ping, { edge, status, milliseconds }: Pong): PingResult {
    const checkedAt = new Date()
    const before = this.last(ping)
    const state = isAnswer(status) ? 'reachable' : 'unreachable'
    const heard: PingResult = {
      ...{ state, statusCode: status || null, roundTripMs: milliseconds, checkedAt, edge },
      since: before?.state === state ? before.since : checkedAt,
      failures: state === 'reachable' ? 0 : (before?.failures ?? 0) + 1,
    }
    this.heard.set(keyOf(ping), heard)
    return heard
  }

  /** Undefined when nothing was heard lately. */
  last(ping: Ping): PingResult | undefined {
    const heard = this.heard.get(keyOf(ping))
    return heard && Date.now() - heard.checkedAt.getTime() <= this.staleMs ? heard : undefined
  }

  /** Whether a call goes to the other addresses first. */
  isUnreachable(gateway: OutboundGateway, place: FoundPlace): boolean {
    return gateway.options_ping && this.last(pingOf(gateway, place))?.state === 'unreachable'
  }

  /** How many addresses are in each state. */
  get counts(): Readonly<Record<PingResult['state'], number>> {
    const counts = { reachable: 0, unreachable: 0 }
    for (const { state } of this.heard.values()) counts[state] += 1
    return counts
  }

  /** Keeps what was heard of addresses of a gateway. */
  async keep(
    { id }: OutboundGateway,
    all: readonly { place: FoundPlace; heard: PingResult }[],
  ): Promise<void> {
    if (all.length === 0) return
    const rows = all.map(({ place, heard }) => [
      ...[id, heard.edge, place.uri.uri.toLowerCase(), place.address, place.port, place.transport],
      ...[heard.state, heard.statusCode, heard.roundTripMs, heard.since, heard.checkedAt],
    ])
    // The gateway may be gone by now. `since` goes first: what follows sees the new state.
    await this.database.source.query(
      `INSERT IGNORE INTO gateway_pings (gateway_id, edge, host, address, port, transport, state, status_code, round_trip_ms,
         since, checked_at) VALUES ${rows.map(() => '(?)').join(', ')}
       ON DUPLICATE KEY UPDATE since = IF(state = VALUES(state), since, VALUES(since)), state = VALUES(state),
         status_code = VALUES(status_code), round_trip_ms = VALUES(round_trip_ms), checked_at = VALUES(checked_at)`,
      rows,
    )
  }

  /** Forgets addresses that have not been looked up for long. */
  async prune(): Promise<void> {
    const before = Date.now() - this.staleMs
    for (const [key, { checkedAt }] of this.heard) if (checkedAt.getTime() < before) this.heard.delete(key)
    await deleteInBatches(this.database, 'gateway_pings', 'checked_at < ?', [
      new Date(Date.now() - retainedMs),
    ])
  }

  /** By the ids of gateways; those that are not pinged are left out. */
  async of(gateways: readonly OutboundGateway[]): Promise<ReadonlyMap<string, Reachability[]>> {
    const pinged = gateways.filter(({ options_ping }) => options_ping)
    if (pinged.length === 0) return new Map()
    const rows = await this.database
      .platformTable(GatewayPing)
      .findBy({ gateway_id: In(pinged.map(({ id }) => id)) })
    const byGateway = grouped(rows, ({ gateway_id }) => gateway_id)
    return new Map(
      pinged.map((gateway) => [gateway.id, this.ofRows(gateway, byGateway.get(gateway.id) ?? [])]),
    )
  }

  private ofRows({ outbound_uris }: OutboundGateway, rows: readonly GatewayPing[]): Reachability[] {
    const own = outbound_uris.filter(({ uri }) => !isSimulatedHost(uri))
    const fresh = rows.filter(({ checked_at }) => Date.now() - checked_at.getTime() <= this.staleMs)
    const found = own.flatMap((uri) => {
      const here = fresh.filter(
        (row) =>
          row.host === uri.uri.toLowerCase() &&
          (uri.lookup !== undefined || (row.port === uri.port && row.transport === uri.protocol)),
      )
      const places = [
        ...grouped(here, ({ address, port, transport }) => `${address} ${port} ${transport}`).values(),
      ]
      if (places.length === 0) return [unknown(uri)]
      return places.flatMap((seen) => presentSeen(uri.uri, seen))
    })
    return found.filter((one, index) => found.findIndex((other) => isSame(one, other)) === index)
  }
}

function keyOf({ to, nextHop }: Ping): string {
  return `${to} ${nextHop}`
}

function isSame(one: Reachability, other: Reachability): boolean {
  const { host, address, port, transport } = one
  return (
    other.host === host && other.address === address && other.port === port && other.transport === transport
  )
}

function unknown({
  uri: host,
  port,
  protocol: transport,
}: OutboundGateway['outbound_uris'][number]): Reachability {
  return {
    ...{ host, address: null, port, transport, state: 'unknown' },
    ...{ status_code: null, round_trip_ms: null, since: null, checked_at: null },
  }
}

/** @param seen pings by several edges: one that got an answer is enough, else the latest counts */
function presentSeen(host: string, seen: readonly GatewayPing[]): Reachability[] {
  const latest = [...seen].sort((a, b) => b.checked_at.getTime() - a.checked_at.getTime())
  const row = latest.find(({ state }) => state === 'reachable') ?? latest[0]
  if (!row) return []
  const { address, port, transport, state, status_code, round_trip_ms, since, checked_at } = row
  return [{ host, address, port, transport, state, status_code, round_trip_ms, since, checked_at }]
}
