/**
 * One poll for all workers of a server: a statement a second that asks for each kind whether a job is due, however many
 * kinds there are.
 */
import type { Logger } from 'pino'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type { Database } from './database.js'
import { ordinarily } from './pool-use.js'

const pollMs = 1_000

/** Who waits for jobs of a kind. */
export interface Poller {
  readonly kind: string
  /** The cell whose jobs alone count; all do where it is left out. */
  readonly cell: string | undefined
  /** Called when a job is due. */
  wake(): void
}

const polls = new WeakMap<Database, OutboxPoll>()

export class OutboxPoll {
  private readonly pollers = new Set<Poller>()
  private readonly task: RepeatingTask

  private constructor(
    private readonly database: Database,
    log: Logger,
  ) {
    const failure = ['outbox.read_failed', 'outbox cannot be read'] as const
    this.task = new RepeatingTask({ everyMs: pollMs, log, failure }, async () =>
      ordinarily(async () => this.look()),
    )
  }

  /** The poll of a database's outbox. */
  static of(database: Database, log: Logger): OutboxPoll {
    const poll = polls.get(database) ?? new OutboxPoll(database, log)
    polls.set(database, poll)
    return poll
  }

  /** Wakes the poller whenever a job is due, until it leaves. */
  join(poller: Poller): void {
    this.pollers.add(poller)
    this.task.start()
  }

  async leave(poller: Poller): Promise<void> {
    this.pollers.delete(poller)
    if (this.pollers.size === 0) await this.task.stop()
  }

  private async look(): Promise<void> {
    const pollers = [...this.pollers]
    const now = new Date()
    const isDue = pollers.map(({ cell }) => {
      const ofCell = cell === undefined ? '' : ' AND cell = ?'
      return `EXISTS (SELECT 1 FROM outbox WHERE kind = ? AND due_at <= ?${ofCell})`
    })
    const values = pollers.flatMap(({ kind, cell }) => [kind, now, ...(cell === undefined ? [] : [cell])])
    const columns = isDue.map((exists, at) => `${exists} AS due_${at}`)
    const [row] = await this.database.source.query<Record<string, unknown>[]>(
      `SELECT ${columns.join(', ')}`,
      values,
    )
    pollers.forEach((poller, at) => {
      if (Number(row?.[`due_${at}`]) === 1 && this.pollers.has(poller)) poller.wake()
    })
  }
}
