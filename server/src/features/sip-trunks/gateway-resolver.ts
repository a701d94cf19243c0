/**
 * Looks up where the names of gateways lead, so that it is known whose carrier is where also before anybody calls over it.
 * Of several servers on one database the first that finds a name due looks it up.
 */
import type { Logger } from 'pino'
import { LessThanOrEqual } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { NextHops } from '../../infrastructure/http-client/next-hops.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import { GatewayAddress } from './gateway-address.entity.js'
import { type GatewayAddresses, isAt, leadsTo, serverOf } from './gateway-addresses.js'
import type { GatewayStates } from './gateway-states.js'
import { OutboundGateway, type OutboundUri, sipHostOf } from './outbound-gateway.entity.js'

/** How often names that are due are looked for, beside the moments when a gateway is written. */
const pollMs = 10_000
const resolvedAtOnce = 20
/** A name is looked up again after this; calls look it up when its records run out. */
const pauseMs = 900_000
/** An address stays a gateway's for this time, in milliseconds, after its name stopped resolving to it. */
const retainedMs = 30 * 86_400_000
/** Of a name with more addresses, those that were seen last count. */
const maxAddresses = 64

export class GatewayResolver {
  private readonly task: RepeatingTask

  constructor(
    private readonly database: Database,
    private readonly addresses: GatewayAddresses,
    private readonly hops: NextHops,
    private readonly states: Pick<GatewayStates, 'review'>,
    log: Logger,
  ) {
    const failure = ['gateway.lookup_failed', 'names of gateways cannot be looked up'] as const
    this.task = new RepeatingTask({ everyMs: pollMs, first: 'now', log, failure }, async (stopped) => {
      for (let hosts = await this.due(); hosts.length > 0 && !stopped.aborted; hosts = await this.due())
        await Promise.all(hosts.map(async (host) => this.resolve(host, stopped)))
    })
  }

  start(): void {
    this.task.start()
  }

  async stop(): Promise<void> {
    const stopped = this.task.stop()
    this.hops.cancel()
    await stopped
  }

  /** Looks for names that are due now instead of at the next poll. */
  wake(): void {
    this.task.again()
  }

  private async due(): Promise<string[]> {
    const rows = await this.database
      .platformTable(GatewayAddress)
      .createQueryBuilder('row')
      .select('row.host', 'host')
      .where({ due_at: LessThanOrEqual(new Date()) })
      .groupBy('row.host')
      .orderBy('MIN(row.due_at)')
      .limit(resolvedAtOnce)
      .getRawMany<{ host: string }>()
    return rows.map(({ host }) => host)
  }

  private async resolve(host: string, stopped: AbortSignal): Promise<void> {
    const table = this.database.platformTable(GatewayAddress)
    const now = Date.now()
    const taken = await table.update(
      { host, due_at: LessThanOrEqual(new Date(now)) },
      { due_at: new Date(now + pauseMs) },
    )
    if (!taken.affected) return
    for (const row of await table.findBy({ host, address: '' })) {
      const gateway = await this.database.platformTable(OutboundGateway).findOneBy({ id: row.gateway_id })
      const uris = gateway?.outbound_uris.filter((uri) => isAt(row, serverOf(uri))) ?? []
      if (!gateway || uris.length === 0) continue
      const found = (await Promise.all(uris.map(async (uri) => this.hops.found(sipHostOf(uri))))).flat()
      if (stopped.aborted) return
      await this.addresses.saw(
        gateway,
        found.slice(0, maxAddresses).map(({ address, port }) => ({ host, port, address, named: row.port })),
      )
      await this.prune(row, uris, now)
      await this.states.review(row.gateway_id)
    }
  }

  /** Forgets what a name has not led to for long, and more than a carrier has. */
  private async prune(
    { gateway_id, host }: GatewayAddress,
    uris: readonly OutboundUri[],
    now: number,
  ): Promise<void> {
    const table = this.database.platformTable(GatewayAddress)
    const rows = await table.find({ where: { gateway_id, host }, order: { seen_at: 'DESC' } })
    const gone = rows
      .filter((row) => uris.some((uri) => leadsTo(serverOf(uri), row)))
      .filter(({ seen_at }, index) => index >= maxAddresses || seen_at.getTime() < now - retainedMs)
    for (const { port, address } of gone) await table.delete({ gateway_id, host, port, address })
  }
}
