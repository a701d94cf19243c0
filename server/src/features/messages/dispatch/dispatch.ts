/**
 * Takes accepted messages to their carriers. Each carrier that is in use is held by one server, whichever of those on
 * the database takes it first.
 */
import type { Logger } from 'pino'
import type { LinkHealth } from '../../../adapters/sms/link.js'
import type { Database } from '../../../infrastructure/database/database.js'
import type { PublicUrls } from '../../../infrastructure/http/public-urls.js'
import type { Servers } from '../../cluster/servers.js'
import { CoalescedTask } from '../../../lib/coalesced-task.js'
import { RepeatingTask } from '../../../lib/repeating-task.js'
import type { Carrier } from '../carriers/carrier.entity.js'
import type { MessageChanges } from '../message-changes.js'
import { CarrierLeases, leaseMs } from './carrier-leases.js'
import { CarrierRunner, type RunnerParts } from './carrier-runner.js'
import { Claims } from './claims.js'
import { Outcomes } from './outcomes.js'
import { ReceiptWriter } from './receipt-writer.js'
import { Receipts } from './receipts.js'
import { StuckMessages } from './stuck-messages.js'

interface Options {
  database: Database
  changes: MessageChanges
  urls: PublicUrls
  servers: Servers
  linkOf: RunnerParts['linkOf']
  receive: RunnerParts['receive']
  /** Seconds. */
  settings: { failover_after: number; delivery_window: number }
  log: Logger
}

const lookMs = 1_000
const failoverMs = 5_000
const receiptsMs = 5_000
const expiryMs = 15_000

/** Another server could take what this one cannot renew: its links are ended before that. */
const giveUpLeaseMs = leaseMs - 1_000
const watchMs = 250

/** Carriers that are free are taken a few at a time, so that other servers get some. */
const takenAtOnce = 4

const stopMs = 10_000

const topic = 'messages-queued'

/** Shortest time between two notices to other servers about one carrier's messages. */
const noticeMs = 50

export class Dispatch {
  readonly receipts: Receipts
  private readonly leases: CarrierLeases
  private readonly stuck: StuckMessages
  private readonly parts: RunnerParts
  private readonly runners = new Map<string, CarrierRunner>()
  /** Carriers whose runners are ending. */
  private readonly ending = new Map<string, Promise<void>>()
  /** Carriers with unusable settings, until they are changed. */
  private readonly broken = new Map<string, { updated_at: Date; health: LinkHealth }>()
  private readonly notified = new Set<string>()
  private watcher: NodeJS.Timeout | undefined
  private readonly looking: RepeatingTask
  private readonly tasks: readonly RepeatingTask[]
  private readonly rerouting: CoalescedTask
  private renewedAt = 0
  private isStopped = true

  constructor(private readonly options: Options) {
    const { database, changes, urls, settings, log } = options
    this.leases = new CarrierLeases(database)
    const { serverId } = this.leases
    const wake = (carrierId: string) => this.wake(carrierId)
    const writer = new ReceiptWriter(changes)
    this.receipts = new Receipts({ database, changes, writer, deliveryWindow: settings.delivery_window, log })
    this.stuck = new StuckMessages({ database, changes, wake })
    this.parts = {
      claims: new Claims({ database, changes, urls, serverId }),
      outcomes: new Outcomes({ database, changes, receipts: writer, serverId, wake }),
      ...{ linkOf: options.linkOf, receive: options.receive, log },
      names: async (...receipt) => this.receipts.names(...receipt),
    }
    this.looking = new RepeatingTask(
      {
        everyMs: lookMs,
        first: 'now',
        log,
        failure: ['carrier.read_failed', 'carriers cannot be looked at'],
      },
      async () => this.look(),
    )
    this.tasks = [
      this.looking,
      new RepeatingTask(
        {
          everyMs: failoverMs,
          log,
          failure: ['message.failover_failed', 'messages cannot be moved to other carriers'],
        },
        async () => this.failOver(),
      ),
      new RepeatingTask(
        { everyMs: receiptsMs, log, failure: ['message.receipts_failed', 'early receipts cannot be read'] },
        async () => this.receipts.sweep(),
      ),
      new RepeatingTask(
        { everyMs: expiryMs, log, failure: ['message.expiry_failed', 'messages cannot be given up'] },
        async () => this.stuck.expire(),
      ),
    ]
    this.rerouting = new CoalescedTask(
      { gatherMs: 0, log, failure: ['message.reroute_failed', 'messages without a carrier cannot be moved'] },
      async () => {
        await this.stuck.reroute()
        return undefined
      },
    )
    options.servers.onShared(topic, (carrierId: string) => this.runners.get(carrierId)?.wake())
  }

  start(): void {
    this.isStopped = false
    this.watcher = setInterval(() => this.watch(), watchMs)
    for (const task of this.tasks) task.start()
  }

  /** Ends the links in an orderly way, within seconds, and lets other servers take the carriers. */
  async stop(): Promise<void> {
    this.isStopped = true
    clearInterval(this.watcher)
    let limit: NodeJS.Timeout | undefined
    const late = new Promise<void>((done) => (limit = setTimeout(done, stopMs)))
    await Promise.race([this.end(), late])
    clearTimeout(limit)
  }

  /** There are messages for a carrier; null: for none. Called once they are committed. */
  wake(carrierId: string | null): void {
    if (carrierId === null) {
      this.rerouting.soon()
      return
    }
    const runner = this.runners.get(carrierId)
    if (runner) runner.wake()
    else if (!this.notified.has(carrierId)) {
      this.notified.add(carrierId)
      setTimeout(() => this.notified.delete(carrierId), noticeMs)
      this.options.servers.share(topic, carrierId)
    }
  }

  private async end(): Promise<void> {
    await Promise.all([...this.tasks, this.rerouting].map(async (task) => task.stop()))
    const ids = [...this.runners.keys()]
    for (const id of ids) this.endRunner(id, { isOrderly: true })
    ids.push(...this.broken.keys())
    await Promise.all(this.ending.values())
    await this.leases
      .giveBack(ids)
      .catch((error: unknown) =>
        this.options.log.warn({ event: 'carrier.release_failed', err: error }, 'carriers cannot be released'),
      )
  }

  /**
   * Renews leases, takes free carriers, and ends runners whose carrier has changed, is inactive or belongs to another
   * server.
   */
  private async look(): Promise<void> {
    const began = Date.now()
    await this.leases.renew(this.links())
    if (!this.isStopped) this.renewedAt = began
    const active = new Map((await this.leases.active()).map((one) => [one.carrier.id, one]))
    for (const [id, runner] of this.runners) {
      const found = active.get(id)
      if (found?.holder !== 'this server') this.endRunner(id, { isOrderly: found === undefined })
      else if (found.carrier.updated_at.getTime() !== runner.carrier.updated_at.getTime()) {
        this.endRunner(id, { isOrderly: true })
      }
    }
    let taken = 0
    for (const { carrier, holder } of active.values()) {
      if (this.isStopped) return
      if (holder === 'another' || this.runners.has(carrier.id) || this.ending.has(carrier.id)) continue
      if (holder === 'this server' && this.isBroken(carrier)) continue
      if (holder === null && ++taken > takenAtOnce) continue
      if (await this.leases.take(carrier.id)) this.begin(carrier)
    }
  }

  private links(): ReadonlyMap<string, LinkHealth> {
    const health: LinkHealth = { state: 'down', since: new Date(), last_error: null }
    return new Map([
      ...[...this.ending.keys()].map((id) => [id, health] as const),
      ...[...this.broken].map(([id, one]) => [id, one.health] as const),
      ...[...this.runners].map(([id, runner]) => [id, runner.health] as const),
    ])
  }

  private begin(carrier: Carrier): void {
    if (this.isStopped) return
    this.broken.delete(carrier.id)
    try {
      const runner = new CarrierRunner(carrier, this.parts)
      this.runners.set(carrier.id, runner)
      runner.start()
    } catch (error) {
      this.options.log.error(
        { event: 'carrier.unusable', err: error, carrier: carrier.id },
        'carrier cannot be used',
      )
      const health: LinkHealth = { state: 'down', since: new Date(), last_error: String(error) }
      this.broken.set(carrier.id, { updated_at: carrier.updated_at, health })
    }
  }

  private isBroken({ id, updated_at }: Carrier): boolean {
    return this.broken.get(id)?.updated_at.getTime() === updated_at.getTime()
  }

  private endRunner(id: string, how: { isOrderly: boolean }): void {
    const runner = this.runners.get(id)
    if (!runner) return
    this.runners.delete(id)
    const ending = runner
      .stop(how)
      .catch((error: unknown) =>
        this.options.log.warn(
          { event: 'carrier.link_end_failed', err: error },
          'a link to a carrier ended badly',
        ),
      )
      .finally(() => {
        this.ending.delete(id)
        this.looking.again()
      })
    this.ending.set(id, ending)
  }

  /** Closes all links when the leases cannot be renewed: another server may take them in a moment. */
  private watch(): void {
    if (this.runners.size === 0 || Date.now() - this.renewedAt < giveUpLeaseMs) return
    this.options.log.warn(
      { event: 'carrier.leases_lost' },
      'carrier links are closed: the database does not answer',
    )
    for (const id of [...this.runners.keys()]) this.endRunner(id, { isOrderly: false })
  }

  private async failOver(): Promise<void> {
    const after = this.options.settings.failover_after * 1000
    for (const [id, runner] of this.runners) if (runner.stuckFor >= after) await this.stuck.moveFrom(id)
    for (const id of this.broken.keys()) await this.stuck.moveFrom(id)
    await this.stuck.reroute()
  }
}
