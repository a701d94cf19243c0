/**
 * What SIP edges keep of numbers and ACLs, for calls from carriers (kamailio-conf/roles/kept-numbers.cfg): after a change each
 * edge is asked to look them up again, before the request that made it is answered.
 *
 * An edge believes what it keeps as long as servers confirm it, and for 60 s at most. One that a change did not reach is not
 * confirmed by this server until it has: it asks the database each time 15 s later. Where another server, which knows nothing of
 * the change, reaches it meanwhile, or where this server dies before it has said so, the change holds after those 60 s.
 */
import type { Logger } from 'pino'
import { onRowsChanged } from '../../infrastructure/database/row-changes.js'
import { inTime } from '../../infrastructure/http/shared-result.js'
import { RepeatingTask } from '../../lib/repeating-task.js'

/** What the view `trunk_numbers` is made of. */
const tables: readonly string[] = ['phone_numbers', 'inbound_acls', 'inbound_acl_addresses']

/** They believe it for 15 s. */
const confirmMs = 5_000

/** A request waits no longer for the edges. */
const patienceMs = 2_500

/** An edge that keeps numbers. Both throw {Error} when it does not answer in time. */
export interface NumberKeeper {
  forgetNumbers(): Promise<void>
  /** Says that it has heard of all changes. */
  confirmNumbers(): Promise<void>
}

export class NumbersAtEdges {
  private readonly edges: readonly Edge[]
  private readonly notifying = new Set<Promise<unknown>>()
  private readonly confirmation: RepeatingTask

  constructor(keepers: readonly NumberKeeper[], log: Pick<Logger, 'warn' | 'info'>) {
    this.edges = keepers.map((keeper) => new Edge(keeper))
    const failure = [
      'edge.numbers_unconfirmed',
      'an edge was not notified of changed numbers, and asks for each call',
    ] as const
    this.confirmation = new RepeatingTask({ everyMs: confirmMs, first: 'now', log, failure }, async () =>
      this.confirm(),
    )
  }

  /** Follows all changes that this server makes. */
  follow(database: Parameters<typeof onRowsChanged>[0]): void {
    onRowsChanged(database, (table) => {
      if (tables.includes(table)) this.changed()
    })
  }

  /** What may have changed before is looked up again, too. */
  start(): void {
    this.confirmation.start()
  }

  async stop(): Promise<void> {
    await this.confirmation.stop()
  }

  /** Done once the edges know what was changed, or are not to be waited for. */
  async settled(): Promise<void> {
    if (this.notifying.size > 0) await Promise.all(this.notifying)
  }

  private changed(): void {
    for (const edge of this.edges) {
      const heard = inTime(patienceMs, edge.changed(), undefined).finally(() => this.notifying.delete(heard))
      this.notifying.add(heard)
    }
  }

  /** One edge that does not answer holds up no other. @throws what the first of those says */
  private async confirm(): Promise<void> {
    const done = await Promise.allSettled(this.edges.map(async (edge) => edge.confirm()))
    const failed = done.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }
}

/** What one edge has heard. */
class Edge {
  /** Something has changed since it last heard of changes. */
  private isOwed = true
  /** It did not answer: changes do not wait for it, and the next confirmation tries again. */
  private isSilent = false
  private last: Promise<void> = Promise.resolve()

  constructor(private readonly keeper: NumberKeeper) {}

  async changed(): Promise<void> {
    this.isOwed = true
    if (!this.isSilent) await this.notified()
  }

  /** @throws {Error} when it does not answer in time */
  async confirm(): Promise<void> {
    await this.notified()
    if (this.isOwed) throw new Error('the edge does not answer')
    await this.keeper.confirmNumbers()
  }

  /** One after the other: what was said before this may have come before the change. */
  private async notified(): Promise<void> {
    this.last = this.last.then(async () => this.notify())
    return this.last
  }

  private async notify(): Promise<void> {
    if (!this.isOwed) return
    this.isOwed = false
    try {
      await this.keeper.forgetNumbers()
      this.isSilent = false
    } catch {
      this.isOwed = true
      this.isSilent = true
    }
  }
}
