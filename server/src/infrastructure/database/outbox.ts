/**
 * The outbox: work that was accepted in a transaction and is done after it. A row is written with
 * what it belongs to, so that both are kept or neither; workers claim rows with SKIP LOCKED under a
 * lease, and a row whose worker died is claimed again when its lease ends.
 */
import type { Logger } from 'pino'
import {
  Column,
  Entity,
  type EntityManager,
  type FindOptionsWhere,
  Index,
  LessThanOrEqual,
  PrimaryColumn,
} from 'typeorm'
import { actingAsPlatform } from './audit.js'
import { asciiId, timestamp } from './columns.js'
import type { Database } from './database.js'
import { GroupCommit } from './group-commit.js'
import { insertRows } from './rows.js'
import { inBackground, ordinarily } from './pool-use.js'
import { RateLimitedFailureLog } from '../../lib/rate-limited-failure-log.js'
import { secondsSince, topics } from '../observability/telemetry.js'
import { type PlaceLimits, Places } from '../../lib/turns.js'
import { detached } from '../observability/tracing-contexts.js'
import { OutboxPoll, type Poller } from './outbox-poll.js'
import { OutboxTurns } from './outbox-turns.js'

/** Of jobs that any cell can do. */
const defaultCell = 'one'

@Entity('outbox')
@Index(['kind', 'due_at'])
@Index(['kind', 'cell', 'due_at'])
@Index(['kind', 'workspace_id', 'due_at'])
export class OutboxJob {
  /** `job_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) kind!: string
  /** The cell whose servers do it, of the kinds that only that cell can do; of others it says nothing. */
  @Column({ ...asciiId, default: defaultCell } as never) cell!: string
  /** The workspace whose turn it takes; empty for what is the platform's own. */
  @Column({ ...asciiId, default: '' }) workspace_id!: string
  @Column({ type: 'json' }) payload!: unknown
  /** When it may be claimed: at once, at the end of a lease, or after a back-off. */
  @Column(timestamp) due_at!: Date
  @Column({ type: 'int', default: 0 }) attempts!: number
  @Column(timestamp) created_at!: Date
}

/** What a worker is given. */
export type Job = Pick<OutboxJob, 'id' | 'workspace_id' | 'payload' | 'attempts' | 'created_at'>

interface WorkerOptions {
  /** Jobs run at once. */
  concurrency: number
  /** What one workspace may have of them; all, and no turns, where it is left out. */
  turns?: Omit<PlaceLimits, 'inAll'>
  /** A job not done within this is claimed again, in milliseconds. */
  leaseMs: number
  /** Whether the lease is renewed while the job runs, for jobs whose length is not known. */
  renewed?: boolean
  /** The cell whose jobs alone are claimed; all are where it is left out. */
  cell?: string
  /** Whether calls wait for the jobs, which then have the connections of calls, and not those of background work. */
  isForCalls?: boolean
  /** Whether this server may claim jobs now: there are others for them. */
  mayClaim?: () => boolean
  /** Pause before another try, in milliseconds; or what it is after so many attempts that failed before. */
  retryMs: number | ((attempts: number) => number)
}

/**
 * Adds a job to a transaction; call {@link OutboxWorker.wake} once it is committed.
 * @param job its `due_at` is when workers may claim it: at once by default; later for a job whose first try is
 *   {@link OutboxWorker.runNow}
 */
export async function addJob(
  tx: EntityManager,
  job: Pick<OutboxJob, 'id' | 'kind' | 'created_at'> &
    Partial<Pick<OutboxJob, 'workspace_id' | 'due_at' | 'cell' | 'attempts'>> & { payload: object },
): Promise<void> {
  await insertRows(tx, OutboxJob, [
    { due_at: job.created_at, cell: defaultCell, workspace_id: '', attempts: 0, ...job },
  ])
}

/** Moves jobs of these kinds from one cell to another. */
export async function moveJobs(
  tx: EntityManager,
  kinds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.query('UPDATE outbox SET cell = ? WHERE kind IN (?) AND cell = ?', [to, kinds, from])
}

/** A job that is claimed as it is written. */
export interface NewClaim {
  /** Of its row. */
  readonly columns: Pick<OutboxJob, 'due_at' | 'attempts'>
  /** Runs it, once it is committed. */
  begin(job: Omit<Job, 'attempts'>): void
  /** Gives its place back: it was not written. */
  drop(): void
}

/** Runs the jobs of one kind. A job that returns is deleted; one that throws is retried. */
export class OutboxWorker {
  private readonly running = new Set<Promise<void>>()
  private readonly poll: OutboxPoll
  private readonly poller: Poller
  private claiming: Promise<void> | undefined
  private again = false
  /** Whether jobs may be left: the last look found as many as could be run. */
  private backlog = false
  private stopped = true
  /** Places of jobs that are claimed and being written. */
  private promised = 0
  private readonly reading: RateLimitedFailureLog
  private readonly places: Places
  private readonly turns: OutboxTurns | undefined
  /** Jobs that are done; one that is not removed is done again when its lease ends. */
  private readonly removals = new GroupCommit<Job, null>(async (jobs) => this.removeAll(jobs))

  constructor(
    private readonly database: Database,
    private readonly kind: string,
    private readonly work: (job: Job) => Promise<void>,
    private readonly options: WorkerOptions,
    private readonly log: Logger,
  ) {
    this.reading = new RateLimitedFailureLog(log, 'outbox.read_failed', 'outbox cannot be read', { kind })
    const { concurrency, turns, cell } = options
    this.poll = OutboxPoll.of(database, log)
    this.poller = { kind, cell, wake: () => this.wake() }
    this.places = new Places({ ofOwner: concurrency, ...turns, inAll: concurrency })
    if (turns) this.turns = new OutboxTurns(database, kind, this.places)
  }

  start(): void {
    this.stopped = false
    this.poll.join(this.poller)
    this.wake()
  }

  /** Claims no more, and waits for what runs. */
  async stop(): Promise<void> {
    this.stopped = true
    await this.poll.leave(this.poller)
    // What is being claimed in this moment is still run.
    await this.claiming
    await Promise.all(this.running)
  }

  /** Claims what is due now instead of at the next poll. */
  wake(): void {
    if (this.options.mayClaim?.() === false) return
    if (this.claiming) this.again = true
    else if (!this.stopped && this.running.size < this.options.concurrency) {
      // A request may have woken us; what its jobs change is not its doing.
      const claim = async () => this.over('', async () => this.claimAll())
      this.claiming = actingAsPlatform(async () => detached(claim)).finally(() => {
        this.claiming = undefined
        if (this.again) this.wake()
      })
    }
  }

  /**
   * Tries a job now that is not due yet, for a request that waits for it. A job that fails is tried again as
   * others are.
   */
  async runNow(job: Job): Promise<void> {
    await this.run(job)
  }

  /** Whether a job of this kind is undone for longer than so many milliseconds, whichever server has it. */
  async isBehind(ms: number): Promise<boolean> {
    const created_at = LessThanOrEqual(new Date(Date.now() - ms))
    return this.database.platformTable(OutboxJob).existsBy({ kind: this.kind, created_at })
  }

  /**
   * Claims a job of this server before it is written: it is not looked for then, and runs at once.
   * @returns null where no place is free: workers find it as they find others
   */
  claimNew(): NewClaim | null {
    if (this.stopped || this.options.mayClaim?.() === false) return null
    if (this.running.size + this.promised >= this.options.concurrency) {
      this.backlog = true
      return null
    }
    this.promised += 1
    return {
      columns: { due_at: new Date(Date.now() + this.options.leaseMs), attempts: 1 },
      begin: (job) => {
        this.promised -= 1
        const first = { ...job, attempts: 0 }
        actingAsPlatform(() => detached(() => (this.stopped ? void this.handBack(first) : this.begin(first))))
      },
      drop: () => (this.promised -= 1),
    }
  }

  /** Lets another server claim a job at once. Without the database its lease does the same a little later. */
  private async handBack(job: Job): Promise<void> {
    const jobs = this.database.platformTable(OutboxJob)
    await jobs.update(this.own(job), { due_at: new Date(), attempts: 0 }).catch(() => undefined)
  }

  private async claimAll(): Promise<void> {
    try {
      do {
        this.again = false
        await (this.turns ? this.claimInTurns(this.turns) : this.claimOldest())
      } while (this.again && !this.stopped && this.running.size < this.options.concurrency)
      this.reading.succeeded()
    } catch (error) {
      this.reading.failed(error)
    }
  }

  private dueAt(now: Date): FindOptionsWhere<OutboxJob> {
    const { cell } = this.options
    return { kind: this.kind, due_at: LessThanOrEqual(now), ...(cell !== undefined && { cell }) }
  }

  private async claimOldest(): Promise<void> {
    const free = this.options.concurrency - this.running.size
    const jobs = await this.claim(free)
    this.backlog = jobs.length === free
    for (const job of jobs) this.begin(job)
  }

  private async claimInTurns(turns: OutboxTurns): Promise<void> {
    const shares = await turns.next(new Date())
    this.backlog = shares !== null
    for (const [workspaceId, limit] of shares ?? [])
      for (const job of await this.claim(limit, workspaceId)) this.begin(job)
  }

  /** @param workspaceId whose jobs alone are claimed, where it is given */
  private async claim(limit: number, workspaceId?: string): Promise<OutboxJob[]> {
    const now = new Date()
    return this.database.transaction(async (tx) => {
      const jobs = await tx.find(OutboxJob, {
        where: { ...this.dueAt(now), ...(workspaceId !== undefined && { workspace_id: workspaceId }) },
        order: { due_at: 'ASC' },
        take: limit,
        lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
      })
      if (jobs.length > 0) {
        const lease = {
          due_at: new Date(now.getTime() + this.options.leaseMs),
          attempts: () => 'attempts + 1',
        }
        await tx.update(
          OutboxJob,
          jobs.map((job) => job.id),
          lease,
        )
      }
      return jobs
    })
  }

  private begin(job: Job): void {
    void this.over(job.workspace_id, async () => this.run(job))
  }

  /** Runs work over the connections that it is for. */
  private async over(workspaceId: string, work: () => Promise<void>): Promise<void> {
    return this.options.isForCalls ? ordinarily(work) : inBackground(workspaceId, work)
  }

  private async run(job: Job): Promise<void> {
    this.places.take(job.workspace_id)
    const done = this.attempt(job).finally(() => {
      this.places.giveBack(job.workspace_id)
      this.running.delete(done)
      if (this.backlog) this.wake()
    })
    this.running.add(done)
    await done
  }

  private async attempt(job: Job): Promise<void> {
    const jobs = this.database.platformTable(OutboxJob)
    const { retryMs } = this.options
    const begun = performance.now()
    const publishOutcome = (failed: boolean) =>
      topics.job.publish({ kind: this.kind, failed, seconds: secondsSince(begun) })
    try {
      await this.underLease(job, async () => this.work(job))
      await this.removals.add('', job)
      publishOutcome(false)
    } catch (error) {
      publishOutcome(true)
      this.log.warn(
        { event: 'outbox.job_failed', err: error, job: job.id, kind: this.kind, attempts: job.attempts + 1 },
        'job failed',
      )
      const pause = typeof retryMs === 'number' ? retryMs : retryMs(job.attempts)
      // Without the database the lease does the same a little later.
      await jobs.update(this.own(job), { due_at: new Date(Date.now() + pause) }).catch(() => undefined)
    }
  }

  private async removeAll(jobs: readonly Job[]): Promise<null[]> {
    const { cell } = this.options
    await this.database.source.query(
      `DELETE FROM outbox WHERE id IN (?)${cell === undefined ? '' : ' AND cell = ?'}`,
      [jobs.map(({ id }) => id), ...(cell === undefined ? [] : [cell])],
    )
    return jobs.map(() => null)
  }

  /** A job, as long as it is of the cell whose jobs these are: it may have been handed to another one meanwhile. */
  private own({ id }: Job): { id: string; cell?: string } {
    const { cell } = this.options
    return { id, ...(cell !== undefined && { cell }) }
  }

  private async underLease(job: Job, work: () => Promise<void>): Promise<void> {
    const { renewed, leaseMs } = this.options
    if (!renewed) return work()
    const jobs = this.database.platformTable(OutboxJob)
    const renew = () => {
      jobs.update(job.id, { due_at: new Date(Date.now() + leaseMs) }).catch(() => undefined)
    }
    // A lease must not lapse because the job's fellows have all connections of background work.
    const timer = ordinarily(() => setInterval(renew, leaseMs / 3))
    try {
      await work()
    } finally {
      clearInterval(timer)
    }
  }
}
