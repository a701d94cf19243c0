/**
 * The cells that there are, in the table `cells`: who drives a cell's switch says every second and a half that it lives,
 * and all servers read what the others say. Only the database's clock is asked (UTC).
 */
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { OwnConnection } from '../../infrastructure/database/own-connection.js'
import { UnavailableError } from '../../infrastructure/http/errors.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type { Cell } from './cell.entity.js'
import { type OwnCell, CellLease, deadAfterMs } from './cell-lease.js'

const beatMs = 1_500

/** Within this all edges follow what the table says, in milliseconds. */
const followedMs = 3_000

/** Seconds after which a call may be tried again. */
const retryAfter = 30

/** What is known of a cell. */
export type KnownCell = Pick<Cell, 'name' | 'is_up' | 'is_draining' | 'beat_at'> & {
  /** Whether its server was heard of lately, and is linked to its switch. */
  readonly isLiving: boolean
}

interface CellsEvents {
  /** This server may drive the switch: no other switch that lives goes by the name of the cell. */
  claimed: []
  /** It may not any more: another switch goes by the name of the cell, and calls that are here are not its calls. */
  lost: []
  /** Calls of this cell were ended by another one, which took it for dead. */
  returned: []
}

export class Cells extends EventEmitter<CellsEvents> {
  private known: readonly KnownCell[] = []
  private readonly row: CellLease
  /** Since when the own cell drains, by the monotonic clock; null while it does not. */
  private drainsSince: number | null = null
  /** Whether this server may drive the switch. */
  private isOurs = false
  private readonly beat: RepeatingTask

  /** @param connection used by nothing else: the heartbeat waits for no other statement, and its deadline is short */
  constructor(
    private readonly connection: OwnConnection,
    private readonly own: OwnCell,
    log: Logger,
  ) {
    super()
    this.row = new CellLease(connection, own, log)
    this.beat = new RepeatingTask(
      { everyMs: beatMs, log, failure: ['cell.read_failed', 'the cells cannot be read'] },
      async () => this.look(),
    )
  }

  /** Reads the cells, now and from then on. @throws when the database is down */
  async start(): Promise<void> {
    await this.look()
    this.beat.start()
  }

  async stop(): Promise<void> {
    await this.beat.stop()
    // Callers go elsewhere at once, rather than when this is noticed.
    await this.row.down().catch(() => undefined)
    this.connection.close()
  }

  /** Says at once what has changed. */
  soon(): void {
    this.beat.again()
  }

  /** Reads them now; returns when that is done, or the database is away. */
  async refresh(): Promise<void> {
    await this.beat.settled()
  }

  /** Does something as soon as this server may drive the switch, and each time that it may again. */
  whenOurs(work: () => void): void {
    if (this.isOurs) work()
    this.on('claimed', work)
  }

  get name(): string {
    return this.own.name
  }

  /** Whether this server may drive the switch. */
  get mayDrive(): boolean {
    return this.isOurs
  }

  /** When the previous driver of the cell last knew that its switch lives; null if there was none. */
  get heardBefore(): Date | null {
    return this.row.heardBefore
  }

  /** The cell of a call that the API begins: the own one, else any that takes calls; the own one where none does. */
  get ofNewCall(): string {
    const takes = (cell: KnownCell) => cell.isLiving && !cell.is_draining
    const fit = this.known.filter(takes)
    const own = fit.find(({ name }) => name === this.own.name)
    return (own ?? fit[Math.floor(Math.random() * fit.length)])?.name ?? this.own.name
  }

  /** Whether no call may begin in the own cell any more, and those that send calls had time to notice. */
  get isClosed(): boolean {
    if (this.drainsSince === null) return false
    return performance.now() - this.drainsSince >= followedMs || this.ofNewCall === this.own.name
  }

  /** @throws {UnavailableError} 503 while the own cell drains and no other one takes calls */
  check(): void {
    if (this.drainsSince !== null && this.ofNewCall === this.own.name)
      throw new UnavailableError(
        'No new calls are taken: the cell drains, and no other one is up',
        retryAfter,
      )
  }

  /** A live cell that can recover the calls of a dead one; null if there is none. */
  get successor(): string | null {
    const name = this.ofNewCall
    return this.known.some((one) => one.name === name && one.isLiving) ? name : null
  }

  private async look(): Promise<void> {
    await this.write()
    const rows = await this.connection.query<
      (Omit<Cell, 'is_up' | 'is_draining'> & { is_up: 0 | 1; is_draining: 0 | 1; age: string })[]
    >(
      `SELECT *, TIMESTAMPDIFF(MICROSECOND, beat_at, UTC_TIMESTAMP(3)) / 1000 AS age FROM cells ORDER BY name`,
    )
    this.known = rows.map(({ name, beat_at, is_up, is_draining, age }) => ({
      ...{ name, beat_at, is_up: is_up === 1, is_draining: is_draining === 1 },
      isLiving: is_up === 1 && Number(age) < deadAfterMs,
    }))
    const mine = rows.find(({ name }) => name === this.own.name)
    this.drainsSince = mine?.is_draining === 1 ? (this.drainsSince ?? performance.now()) : null
    if (this.isOurs && mine?.undertaken_at && this.own.drives() && this.own.isUp()) {
      this.emit('returned')
      await this.row.hasReturned()
    }
  }

  private async write(): Promise<void> {
    const wasOurs = this.isOurs
    this.isOurs = await this.row.write()
    if (this.isOurs && !wasOurs) this.emit('claimed')
    if (!this.isOurs && wasOurs) this.emit('lost')
  }
}
