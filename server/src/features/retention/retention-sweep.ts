/**
 * Deletes what is older than it is kept. Workspaces and kinds take turns of a few seconds each, so that a large one keeps
 * no other waiting; between two steps the database rests for as long as the step took. Of several servers one sweeps.
 */
import type { Logger } from 'pino'
import { restAfter } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { AgingRows, Cursor } from './aging-rows.js'
import { type RetentionDays, type RetentionPolicy, retentionFields } from '../workspaces/retention-policy.js'
import type { SweepLease } from './sweep-lease.js'

interface Parts {
  database: Database
  policy: RetentionPolicy
  rows: readonly AgingRows[]
  lease: SweepLease
  log: Logger
}

/** How long one kind of rows of a workspace is pruned before it is the turn of the next, and how long a round lasts at most. */
const turnMs = 5_000
const roundMs = 50 * 60_000

const workspacesAtOnce = 200

interface Task {
  readonly rows: AgingRows
  readonly workspaceId: string | null
  readonly before: Date
  after: Cursor | null
}

export class RetentionSweep {
  private running: Promise<void> | undefined
  private isStopped = false

  constructor(private readonly parts: Parts) {}

  /** Sweeps once; while it does, a second call waits for the same round. */
  async sweep(now = new Date()): Promise<void> {
    this.running ??= this.round(now).finally(() => (this.running = undefined))
    await this.running
  }

  /** Ends the round after the step that is under way. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.running?.catch(() => undefined)
  }

  private async round(now: Date): Promise<void> {
    const { lease, log } = this.parts
    const end = Date.now() + roundMs
    const deleted: Record<string, number> = {}
    if (!(await lease.take())) return
    try {
      let tasks = await this.tasks(now)
      while (tasks.length > 0 && !this.isOver(end)) {
        const left: Task[] = []
        for (const task of tasks) {
          if (this.isOver(end) || !(await lease.take())) return
          if (await this.turn(task, end, deleted)) left.push(task)
        }
        tasks = left
      }
    } finally {
      await lease.giveBack()
      if (Object.keys(deleted).length > 0)
        log.info({ event: 'retention.deleted', deleted }, 'what was older than it is kept was deleted')
    }
  }

  /** @returns whether something is left */
  private async turn(task: Task, roundEnd: number, deleted: Record<string, number>): Promise<boolean> {
    const { rows, workspaceId, before } = task
    const end = Math.min(Date.now() + turnMs, roundEnd)
    do {
      const begun = performance.now()
      const step = await rows.step(workspaceId, before, task.after)
      if (step.deleted > 0) deleted[rows.name] = (deleted[rows.name] ?? 0) + step.deleted
      task.after = step.next
      if (!step.next) return false
      await restAfter(begun)
    } while (!this.isOver(end))
    return true
  }

  private async tasks(now: Date): Promise<Task[]> {
    const { policy, rows } = this.parts
    const tasks: Task[] = []
    const add = (workspaceId: string | null, own: Partial<RetentionDays>, kinds: readonly AgingRows[]) => {
      for (const one of kinds) {
        const before = policy.cutoff(one.kind, own[retentionFields[one.kind]] ?? null, now)
        if (before) tasks.push({ rows: one, workspaceId, before, after: null })
      }
    }
    for (let last = ''; ;) {
      const some = await this.workspacesAfter(last)
      for (const { id, ...own } of some) add(id, own, rows)
      last = some.at(-1)?.id ?? ''
      if (some.length < workspacesAtOnce) break
    }
    // The audit log has the operator's actions outside of workspaces, too.
    add(
      null,
      {},
      rows.filter(({ kind }) => kind === 'audit_log'),
    )
    return tasks
  }

  private async workspacesAfter(last: string): Promise<(RetentionDays & { id: string })[]> {
    return this.parts.database.source.query(
      `SELECT id, ${Object.values(retentionFields).join(', ')} FROM workspaces WHERE id > ? ORDER BY id LIMIT ?`,
      [last, workspacesAtOnce],
    )
  }

  private isOver(end: number): boolean {
    return this.isStopped || Date.now() > end
  }
}
