/** What the operator sets at run time: kept in the database, and known to all servers within seconds. */
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { RepeatingTask } from '../../lib/repeating-task.js'
import { LessThanOrEqual } from 'typeorm'
import { type Change, recordChange } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import { PlatformState } from './platform-state.entity.js'

interface PlatformStatesEvents {
  /** They have been looked at, and may be others than before. */
  read: []
}

interface Options {
  readonly database: Database
  /** Other servers, where there are any. */
  readonly servers: {
    share(topic: string, data: unknown): void
    onShared(topic: string, listener: () => void): void
  }
  readonly log: Logger
}

const topic = 'platform-states'

const pollMs = 5_000

export class PlatformStates extends EventEmitter<PlatformStatesEvents> {
  private known: ReadonlyMap<string, PlatformState> = new Map()
  private readonly endings: ((state: PlatformState) => boolean)[] = []
  private readonly polling: RepeatingTask
  private reading: Promise<void> = Promise.resolve()

  constructor(private readonly options: Options) {
    super()
    this.polling = new RepeatingTask(
      {
        everyMs: pollMs,
        log: options.log,
        failure: ['server.state_read_failed', 'what the operator has set cannot be read'],
      },
      async () => this.read(),
    )
    options.servers.onShared(topic, () => this.polling.again())
  }

  /** @throws when the database does not answer: what was set must hold from the first call on */
  async start(): Promise<void> {
    await this.read()
    this.polling.start()
  }

  async stop(): Promise<void> {
    await this.polling.stop()
    await this.reading
  }

  /**
   * @param isSettled whether a state whose time is over has left nothing behind: until then it is kept, so that also the
   * next process knows of it. Asked at every reading.
   */
  whenOver(isSettled: (state: PlatformState) => boolean): void {
    this.endings.push(isSettled)
  }

  get(name: string): PlatformState | null {
    const state = this.known.get(name)
    return state && (!state.until || state.until > new Date()) ? state : null
  }

  /** Sets a state, or ends it with null; holds here when this returns. @param change for the audit log */
  async set(
    name: string,
    state: Pick<PlatformState, 'value' | 'until'> | null,
    change: Omit<Change, 'workspace_id'>,
  ): Promise<void> {
    await this.options.database.transaction(async (tx) => {
      const before = await tx.findOne(PlatformState, { where: { name }, lock: { mode: 'pessimistic_write' } })
      if (state) {
        const since = before?.value === state.value ? before.since : new Date()
        await tx.upsert(PlatformState, { name, since, ...state }, ['name'])
      } else await tx.delete(PlatformState, name)
      await recordChange(tx, { ...change, workspace_id: null })
    })
    await this.read()
    this.options.servers.share(topic, null)
  }

  private async read(): Promise<void> {
    const reading = this.reading.then(async () => {
      const states = this.options.database.platformTable(PlatformState)
      const rows = await states.find()
      const now = new Date()
      const ended = rows.filter(({ until }) => until && until <= now)
      for (const state of ended) {
        const areSettled = this.endings.map((isSettled) => isSettled(state))
        if (areSettled.every(Boolean)) await states.delete({ name: state.name, until: LessThanOrEqual(now) })
      }
      this.known = new Map(rows.map((row) => [row.name, row]))
      this.emit('read')
    })
    this.reading = reading.catch(() => undefined)
    await reading
  }
}
