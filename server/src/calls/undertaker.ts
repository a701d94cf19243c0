/**
 * Ends what a dead cell has left, and what a dead switch of the own one. A cell is dead when its server has not been heard of for some seconds while this one
 * could have heard it, and its switch does not answer either. One whose switch answers is waited for: a successor may be
 * about to take the calls up; and one whose server still speaks over Redis has only lost the database. The calls of a
 * dead cell ended when its server last knew of its switch, and nothing after that is charged. Those that had not begun go
 * to a cell that lives, or are given up after half a minute. It is the same with the calls of this server's own cell when
 * its switch is dead, which this server knows best.
 *
 * One server at a time sees to a cell, by a mark in its row. Were there two, or came the cell back meanwhile, each call
 * would still end once: `CallStore.ended` sees to that.
 */
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import type { Cell } from '../cells/cell.entity.js'
import { deadAfterMs } from '../cells/own-row.js'
import { Silences } from '../cells/silences.js'
import { answersSip } from '../cells/switch-probe.js'
import type { Database } from '../database/database.js'
import type { ChannelEnd } from '../switch/channel-end.js'
import type { CallLeg } from './call-leg.entity.js'
import { endOfCall } from './call-outcome.js'
import type { CallStore } from './call-store.js'
import type { Call } from './call.entity.js'

interface Options {
  database: Database
  store: CallStore
  /** The cell of this server, and a cell that can go on with what another has left; null when there is none. */
  cells: { readonly name: string; readonly heir: string | null }
  /** The switch of this server's cell. */
  ownSwitch: { isDead(): Promise<boolean> }
  /** Whether a server is heard over Redis that drives a cell. */
  isHeard: (cell: string) => boolean
  /** Kinds of jobs that belong to calls: they go with these, or are done for those that have ended. */
  jobs: readonly string[]
  /** Has calls placed that another cell had accepted. */
  wake: () => void
  /** A call has ended. */
  ended: (call: Call) => void
  /** All calls of a cell have. @throws when the database is away */
  buried: (cell: string) => Promise<void>
  log: Logger
  /** Milliseconds by a clock that is never set. */
  now?: () => number
}

/** A cell, and when its server last knew that its switch lives, as far as it said. */
interface DeadCell extends Pick<Cell, 'name' | 'switch_address' | 'beat_at'> {
  readonly last_seen: Date
  /** Whether it has left something that is to be seen to. */
  readonly is_left: 0 | 1
  /** Whether its server lives, being this one or another of this cell, and only its switch does not. */
  readonly is_own: 0 | 1
}

const lookMs = 2_000

/** A switch that answers is waited for no longer than this where no server is heard: nobody hangs its calls up. */
const patienceMs = 120_000

/** Switches that are asked for an answer at the same time: a socket each. */
const askedAtOnce = 32

/** A call that has not begun for so long is given up: nobody wants it any more. */
const staleMs = 30_000

/** Who has begun with a cell and is not through after so many seconds is gone as well. */
const leaseSeconds = 30

/** What the end of a call is called that a crash has cut. */
const cause = 'CRASH'

export class Undertaker {
  private timer: NodeJS.Timeout | undefined
  private busy: Promise<void> | undefined
  private readonly silences: Silences

  constructor(private readonly options: Options) {
    this.silences = new Silences(options.now)
  }

  /** Looks again and again. */
  start(): void {
    this.timer = setInterval(() => {
      this.busy ??= this.look()
        .catch((error: unknown) => this.options.log.warn({ err: error }, 'dead cells cannot be looked for'))
        .finally(() => {
          this.busy = undefined
        })
    }, lookMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.busy
  }

  /** Sees to the cells that are dead now. @throws when the database is away */
  async look(): Promise<void> {
    const [silent, isOwnDead] = await Promise.all([this.silentOnes(), this.options.ownSwitch.isDead()])
    for (let from = 0; from < silent.length; from += askedAtOnce) {
      const asked = silent.slice(from, from + askedAtOnce)
      // A switch that is gone takes the whole of the deadline: one after another they would wait for each other.
      const mayLive = await Promise.all(asked.map(async (cell) => this.mayLive(cell)))
      for (const cell of asked.filter((_, index) => !mayLive[index])) {
        if (await this.mark(cell)) await this.bury(cell)
      }
    }
    if (isOwnDead) await this.seeToOwn()
  }

  /** Cells that have been silent for long enough, and have left something. */
  private async silentOnes(): Promise<DeadCell[]> {
    const { name: own } = this.options.cells
    const others = await this.cellsWhere('name <> ?', own).catch((error: unknown) => {
      this.silences.forget()
      throw error
    })
    this.silences.look(others)
    return others.filter(({ name, is_left }) => is_left === 1 && this.silences.of(name) >= deadAfterMs)
  }

  private async seeToOwn(): Promise<void> {
    const [cell] = await this.cellsWhere('name = ?', this.options.cells.name)
    if (cell?.is_left === 1 && (await this.mark(cell))) await this.bury(cell)
  }

  private async cellsWhere(condition: string, value: string): Promise<DeadCell[]> {
    const { database, cells, jobs } = this.options
    return database.source.query<DeadCell[]>(
      `SELECT name, switch_address, beat_at, COALESCE(heard_at, beat_at) AS last_seen, name = ? AS is_own,
         (name = ? OR beat_at < UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND)
         AND (EXISTS (SELECT 1 FROM calls WHERE calls.live = 1 AND calls.cell = cells.name)
           OR EXISTS (SELECT 1 FROM agent_claims claim WHERE claim.cell = cells.name)
           OR EXISTS (SELECT 1 FROM outbox WHERE outbox.kind IN (?) AND outbox.cell = cells.name)) AS is_left
       FROM cells WHERE ${condition}`,
      [cells.name, cells.name, deadAfterMs * 1_000, jobs, value],
    )
  }

  private async mayLive({ name, switch_address }: DeadCell): Promise<boolean> {
    const isWaitedFor = this.options.isHeard(name) || this.silences.of(name) < patienceMs
    return isWaitedFor && (await answersSip(switch_address))
  }

  /** @returns false when it lives again, or another server sees to it */
  private async mark(cell: DeadCell): Promise<boolean> {
    const dead = whileDead(cell)
    const { affectedRows } = await this.options.database.source.query<{ affectedRows: number }>(
      `UPDATE cells SET undertaken_at = UTC_TIMESTAMP(3), is_up = FALSE WHERE ${dead.text}
         AND (undertaken_at IS NULL OR undertaken_at < UTC_TIMESTAMP(3) - INTERVAL ? SECOND)`,
      [...dead.values, leaseSeconds],
    )
    return affectedRows === 1
  }

  private async bury(cell: DeadCell): Promise<void> {
    const { store, cells, log, ended, wake, buried } = this.options
    const { heir } = cells
    const moved = heir === null ? 0 : await this.handDown(cell, heir)
    if (moved === null) return
    if (moved > 0) wake()
    let count = 0
    for (const call of await store.live(cell.name)) {
      if (!(await this.isStillDead(cell))) return
      if (isWaiting(call) && heir === null && Date.now() - call.created_at.getTime() < staleMs) continue
      if (await this.end(call, cell)) count++
      ended(call)
    }
    await buried(cell.name)
    const { name, last_seen: lastSeen } = cell
    const what = cell.is_own ? 'the switch is dead' : 'a cell is dead'
    log.warn({ cell: name, lastSeen, ended: count, moved }, what)
  }

  /** Calls that have not begun are begun elsewhere. @returns how many; null when the cell lives again */
  private async handDown(cell: DeadCell, to: string): Promise<number | null> {
    const { database, jobs } = this.options
    return database.transaction(async (tx) => {
      if (!(await this.keepDead(cell, tx))) return null
      const { affectedRows } = await tx.query<{ affectedRows: number }>(
        `UPDATE calls SET cell = ? WHERE live = 1 AND cell = ? AND status = 'created'
           AND NOT EXISTS (SELECT 1 FROM call_legs leg WHERE leg.call_id = calls.id)`,
        [to, cell.name],
      )
      await tx.query('UPDATE outbox SET cell = ? WHERE kind IN (?) AND cell = ?', [to, jobs, cell.name])
      return affectedRows
    })
  }

  private async isStillDead(cell: DeadCell): Promise<boolean> {
    const dead = whileDead(cell)
    const rows = await this.options.database.source.query<unknown[]>(
      `SELECT 1 FROM cells WHERE ${dead.text}`,
      dead.values,
    )
    return rows.length > 0
  }

  /**
   * Its server cannot be heard of until the transaction ends: what it places after that, it asks whose it is. A lock would
   * not hold where it uses another node of the database's cluster: the row is written.
   */
  private async keepDead(cell: DeadCell, tx: EntityManager): Promise<boolean> {
    const dead = whileDead(cell)
    const { affectedRows } = await tx.query<{ affectedRows: number }>(
      `UPDATE cells SET undertaken_at = GREATEST(UTC_TIMESTAMP(3), undertaken_at + INTERVAL 1000 MICROSECOND)
       WHERE ${dead.text} AND undertaken_at IS NOT NULL`,
      dead.values,
    )
    return affectedRows === 1
  }

  private async end(call: Call, { name, last_seen: lastSeen }: DeadCell): Promise<boolean> {
    const { store } = this.options
    const legs = await store.legsOf(call.id)
    for (const leg of legs) if (!leg.ended_at) await store.legEnded(leg, endOf(leg, lastSeen))
    const own = legs.filter(({ role }) => role === (call.line ?? 'caller'))
    const line = own.find(({ ended_at }) => !ended_at) ?? own.at(-1)
    const end = line
      ? endOf(line, lastSeen)
      : { hangupCause: cause, sipCode: null, answeredAt: null, endedAt: latest(lastSeen, call.created_at) }
    return store.ended(call, endOfCall(call, line, end), undefined, [], name)
  }
}

/** The row of a cell, unless it lives again: its server is heard of, or of the own one any server has the switch. */
function whileDead({ name, beat_at, is_own }: DeadCell): { text: string; values: unknown[] } {
  return is_own
    ? { text: 'name = ? AND NOT is_up', values: [name] }
    : { text: 'name = ? AND beat_at = ?', values: [name, beat_at] }
}

function isWaiting({ status }: Call): boolean {
  return status === 'created'
}

function endOf({ answered_at, created_at }: CallLeg, lastSeen: Date): ChannelEnd {
  const endedAt = latest(lastSeen, answered_at ?? created_at)
  return { hangupCause: cause, sipCode: null, answeredAt: answered_at, endedAt }
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other
}
