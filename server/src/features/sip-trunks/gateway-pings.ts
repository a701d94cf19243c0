/**
 * Pings gateways: sends OPTIONS to each address that their calls would go to, once in an interval, and three times in an
 * interval to one that does not answer. The server that drives the calls of a cell does so, through that cell's edge.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { MoreThan } from 'typeorm'
import type { AlertService } from '../alerts/alert.service.js'
import { actingAsPlatform } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { EdgePings } from '../../adapters/kamailio/edge-pings.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type { FoundPlace } from './gateway-approval.js'
import { type GatewayReach, type PingResult, type Ping, pingOf } from './gateway-reach.js'
import type { GatewayRoutes } from './gateway-routes.js'
import { OutboundGateway } from './outbound-gateway.entity.js'

/** Rounds in an interval; all but one of them are for addresses that do not answer. */
const rounds = 3

const pagedAtOnce = 200
const gatewaysAtOnce = 50

/** Addresses of one gateway, in the order in which they are called; calls try fewer. */
const mostPlaces = 32

/** Ports of one address that are pinged in a round: its owner may be no carrier. */
const mostPortsOfAddress = 8

/** An alert needs so many pings in a row without an answer. */
const failuresToTell = 2

interface Parts {
  database: Database
  routes: Pick<GatewayRoutes, 'openPlaces'>
  reach: GatewayReach
  pings: Pick<EdgePings, 'ping'>
  /** Whether calls go out from here, to real carriers. */
  mayPing: () => boolean
  alerts: Pick<AlertService, 'raiseLater'>
  log: Logger
  /** Seconds. */
  interval: number
}

export class GatewayPings {
  private readonly stopped = new AbortController()
  private readonly task: RepeatingTask
  private turn = 0
  /** Gateways in the last full round. */
  private count = 0
  /** Gateways with an address that does not answer. */
  private readonly troubled = new Set<string>()
  /** Gateways for which an alert was sent. */
  private readonly down = new Set<string>()
  private readonly underWay = new Map<string, Promise<PingResult | null>>()
  private readonly alone = new Set<Promise<void>>()
  private portsOf = new Map<string, Set<number>>()

  constructor(private readonly parts: Parts) {
    const everyMs = (parts.interval * 1000) / rounds
    this.task = new RepeatingTask(
      {
        everyMs,
        first: 'now',
        log: parts.log,
        failure: ['gateway.pings_failed', 'gateways cannot be pinged'],
      },
      async () => this.tick(),
    )
  }

  start(): void {
    this.task.start()
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    await this.task.stop()
    await Promise.all(this.alone)
  }

  /** Pings a gateway that was written, without waiting for its turn. */
  written(id: string): void {
    if (!this.task.isStarted || !this.parts.mayPing()) return
    if (this.alone.size >= gatewaysAtOnce) return
    const one = actingAsPlatform(async () => this.pingAlone(id)).finally(() => this.alone.delete(one))
    this.alone.add(one)
  }

  private async pingAlone(id: string): Promise<void> {
    try {
      const gateway = await this.parts.database.platformTable(OutboundGateway).findOneBy({ id })
      if (gateway?.options_ping) await this.pingGateway(gateway)
    } catch (error) {
      this.parts.log.warn(
        { event: 'gateway.ping_failed', err: error, gateway: id },
        'a gateway cannot be pinged',
      )
    }
  }

  private async tick(): Promise<void> {
    if (!this.parts.mayPing()) return
    const isFull = this.turn % rounds === 0
    this.turn += 1
    await this.round(isFull)
  }

  private async round(isFull: boolean): Promise<void> {
    const { reach, interval, log } = this.parts
    this.portsOf = new Map()
    // Spread over the time until the next round.
    const expected = isFull ? this.count : this.troubled.size
    const pauseMs = ((interval * 1000) / rounds / Math.max(expected, rounds)) * 0.8
    const underWay = new Set<Promise<void>>()
    let count = 0
    try {
      for await (const gateway of isFull ? this.all() : this.troubledOnes()) {
        count += 1
        const one = this.pingGateway(gateway)
          .catch((error: unknown) =>
            log.warn(
              { event: 'gateway.ping_failed', err: error, gateway: gateway.id },
              'a gateway cannot be pinged',
            ),
          )
          .finally(() => underWay.delete(one))
        underWay.add(one)
        if (underWay.size >= gatewaysAtOnce) await Promise.race(underWay)
        await sleep(Math.random() * 2 * pauseMs, undefined, { signal: this.stopped.signal })
      }
    } finally {
      await Promise.all(underWay)
    }
    if (!isFull) return
    this.count = count
    await reach.prune()
  }

  private async *all(): AsyncGenerator<OutboundGateway> {
    const table = this.parts.database.platformTable(OutboundGateway)
    for (let after = ''; ;) {
      const gateways = await table.find({
        where: { options_ping: true, id: MoreThan(after) },
        order: { id: 'ASC' },
        take: pagedAtOnce,
      })
      yield* gateways
      const last = gateways.at(-1)
      if (!last || gateways.length < pagedAtOnce) return
      after = last.id
    }
  }

  private async *troubledOnes(): AsyncGenerator<OutboundGateway> {
    for (const id of [...this.troubled]) {
      const gateway = await this.parts.database.platformTable(OutboundGateway).findOneBy({ id })
      if (gateway?.options_ping) yield gateway
      else this.forget(id)
    }
  }

  private forget(id: string): void {
    this.troubled.delete(id)
    this.down.delete(id)
  }

  private async pingGateway(gateway: OutboundGateway): Promise<void> {
    const { routes, reach } = this.parts
    const places = (await routes.openPlaces(gateway)).slice(0, mostPlaces)
    const found = await Promise.all(
      places.map(async (place) => ({ place, heard: await this.ask(pingOf(gateway, place), place) })),
    )
    if (this.stopped.signal.aborted) return
    const seen = found.flatMap(({ place, heard }) => (heard ? [{ place, heard }] : []))
    await reach.keep(gateway, seen)
    const silent = seen.filter(({ heard: { state } }) => state === 'unreachable')
    if (silent.length === 0) this.troubled.delete(gateway.id)
    else this.troubled.add(gateway.id)
    const isDown = silent.length > 0 && silent.length === places.length
    if (!isDown) this.down.delete(gateway.id)
    else if (silent.every(({ heard: { failures } }) => failures >= failuresToTell)) this.raiseAlert(gateway)
  }

  /** What an address says; what another gateway there has just heard counts. Null when it was not asked, or the edge is silent. */
  private async ask(ping: Ping, { address, port }: FoundPlace): Promise<PingResult | null> {
    const { reach, pings, interval } = this.parts
    const last = reach.last(ping)
    if (last && Date.now() - last.checkedAt.getTime() < (interval * 1000) / rounds / 2) return last
    const key = `${ping.to} ${ping.nextHop}`
    const asked = this.underWay.get(key)
    if (asked) return asked
    const ports = this.portsOf.get(address) ?? new Set<number>()
    this.portsOf.set(address, ports)
    if (!ports.has(port) && ports.size >= mostPortsOfAddress) return null
    ports.add(port)
    const answer = pings
      .ping(ping.to, ping.nextHop)
      .then((pong) => pong && reach.record(ping, pong))
      .finally(() => this.underWay.delete(key))
    this.underWay.set(key, answer)
    return answer
  }

  /** Alerts the operator and the workspace to a gateway of which no address answers, once until one answers again. */
  private raiseAlert({ id, workspace_id, title }: OutboundGateway): void {
    if (this.down.has(id)) return
    this.down.add(id)
    const hour = new Date()
    hour.setUTCMinutes(0, 0, 0)
    this.parts.alerts.raiseLater({
      ...{ workspace_id, kind: 'gateway_unreachable', period_began: hour, details: {} },
      message: `No address of a gateway answers: ${title} (${id})`,
    })
  }
}
