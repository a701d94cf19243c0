/**
 * Ends the calls of a dead cell, and of its own cell when the switch is dead. A cell is dead when its server's
 * heartbeat has been missing for some seconds in which this server could have seen it, and its switch does not answer
 * either. If the switch answers, a successor may be about to recover the calls: wait. If the server still speaks over
 * Redis, it has only lost the database. The calls of a dead cell ended when its server last knew of its switch; nothing
 * after that is charged. Calls that had not started move to a live cell, or are given up after half a minute.
 * One server at a time handles a cell, by a mark in its row. Even with two, or if the cell comes back meanwhile,
 * `CallStore.ended` ends each call once.
 */
import type { Logger } from 'pino'
import { RepeatingTask } from '../../../lib/repeating-task.js'
import type { Cell } from '../../cells/cell.entity.js'
import { deadAfterMs } from '../../cells/cell-lease.js'
import { type SuspectCell, claimDeadCell, isStillDead, keepDead } from '../../cells/dead-cells.js'
import { HeartbeatMonitor } from '../../cells/heartbeat-monitor.js'
import { answersSip } from '../../cells/switch-probe.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { moveJobs } from '../../../infrastructure/database/outbox.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { endOfCall } from '../model/termination.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'

interface Options {
  database: Database
  store: CallStore
  /** The cell of this server, and a live cell that can continue the calls of a dead one; null if there is none. */
  cells: { readonly name: string; readonly successor: string | null }
  /** The switch of this server's cell. */
  ownSwitch: { isDead(): Promise<boolean> }
  /** True if a server that drives the cell is alive on Redis. */
  isHeard: (cell: string) => boolean
  /** Kinds of jobs that belong to calls: they move with the calls, or are done when the calls have ended. */
  jobs: readonly string[]
  /** Starts to place calls that another cell had accepted. */
  wake: () => void
  /** A call has ended. */
  ended: (call: Call) => void
  /**
   * All calls of a cell have ended.
   * @throws when the database is unreachable
   */
  reaped: (cell: string) => Promise<void>
  log: Logger
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** A cell, and when its server last knew, and reported, that the switch was alive. */
interface DeadCell extends SuspectCell, Pick<Cell, 'switch_address'> {
  readonly last_seen: Date
  /** True if there are calls or jobs left to handle. */
  readonly is_left: 0 | 1
}

const lookMs = 2_000

/** How long a switch that still answers is waited for without a server: no one hangs up its calls. */
const patienceMs = 120_000

/** Switches that are probed at the same time, with one socket each. */
const askedAtOnce = 32

/** A call that has not started for this long is given up: its caller no longer expects it. */
const staleMs = 30_000

/** Hangup cause of calls that a crash ended. */
const cause = 'CRASH'

export class DeadCellReaper {
  private readonly task: RepeatingTask
  private readonly silences: HeartbeatMonitor

  constructor(private readonly options: Options) {
    this.silences = new HeartbeatMonitor(options.now)
    this.task = new RepeatingTask(
      { everyMs: lookMs, log: options.log, failure: ['cell.check_failed', 'checking for dead cells failed'] },
      async () => this.look(),
    )
  }

  /** Checks for dead cells at intervals. */
  start(): void {
    this.task.start()
  }

  async stop(): Promise<void> {
    await this.task.stop()
  }

  /**
   * Handles the cells that are dead now.
   * @throws when the database is unreachable
   */
  async look(): Promise<void> {
    const [silent, isOwnDead] = await Promise.all([this.silentOnes(), this.options.ownSwitch.isDead()])
    for (let from = 0; from < silent.length; from += askedAtOnce) {
      const asked = silent.slice(from, from + askedAtOnce)
      // A probe of a dead switch takes the whole deadline, so probe them in parallel.
      const mayLive = await Promise.all(asked.map(async (cell) => this.mayLive(cell)))
      for (const cell of asked.filter((_, index) => !mayLive[index])) {
        if (await claimDeadCell(this.options.database, cell)) await this.reap(cell)
      }
    }
    if (isOwnDead) await this.seeToOwn()
  }

  /** Cells without a heartbeat for long enough that have calls or jobs left. */
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
    if (cell?.is_left !== 1) return
    if (await claimDeadCell(this.options.database, cell)) await this.reap(cell)
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

  private async reap(cell: DeadCell): Promise<void> {
    const { store, cells, log, ended, wake, reaped } = this.options
    const { successor } = cells
    const moved = successor === null ? 0 : await this.reassign(cell, successor)
    if (moved === null) return
    if (moved > 0) wake()
    let count = 0
    for (const call of await store.live(cell.name)) {
      if (!(await isStillDead(this.options.database, cell))) return
      if (isWaiting(call) && successor === null && Date.now() - call.created_at.getTime() < staleMs) continue
      if (await this.end(call, cell)) count++
      ended(call)
    }
    await reaped(cell.name)
    const { name, last_seen: lastSeen } = cell
    const about = { cell: name, lastSeen, ended: count, moved }
    if (cell.is_own) log.warn({ event: 'switch.dead', ...about }, 'the switch is dead')
    else log.warn({ event: 'cell.dead', ...about }, 'a cell is dead')
  }

  /**
   * Moves calls that have not started to another cell.
   * @returns how many; null if the cell lives again
   */
  private async reassign(cell: DeadCell, to: string): Promise<number | null> {
    const { database, jobs } = this.options
    return database.transaction(async (tx) => {
      if (!(await keepDead(tx, cell))) return null
      const { affectedRows } = await tx.query<{ affectedRows: number }>(
        `UPDATE calls SET cell = ? WHERE live = 1 AND cell = ? AND status = 'created'
           AND NOT EXISTS (SELECT 1 FROM call_legs leg WHERE leg.call_id = calls.id)`,
        [to, cell.name],
      )
      await moveJobs(tx, jobs, { from: cell.name, to })
      return affectedRows
    })
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
