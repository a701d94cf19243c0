/** The one database: connection, transactions, migrations. MariaDB or MySQL 8. */
import type { DatabaseSettings } from './database-settings.js'
import 'reflect-metadata'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm'
import mysql, { type Pool, type PoolOptions } from 'mysql2'
import { combining } from './combined.js'
import { type DriverInside, type PoolInside, setForEach, sidePool } from './driver-pools.js'
import { OwnConnection } from './own-connection.js'
import { QueryTimes } from './query-times.js'
import { type SidePool, currentUse, whileHolding } from './pool-use.js'
import { connectTimeoutMs, galeraRetries, idleConnections, perSession } from './session-settings.js'
import { ReadTooLongError, TurnPool, statementLimit } from './turn-pool.js'

type EntityClass = new () => object
type MigrationClass = new () => { up: unknown; down: unknown }

/** How long background work waits for one of its connections, in milliseconds; it is tried again later. */
const backgroundWaitMs = 60_000

/** A transaction of several: those that work begins meanwhile are parts of it. */
interface Whole {
  readonly tx: EntityManager
  isOver: boolean
  /** Done once it is committed, one after the other. */
  readonly following: (() => Promise<void>)[]
}

const shared = new AsyncLocalStorage<Whole>()

export class Database {
  readonly source: DataSource
  /** Options of mysql2 that TypeORM passes on when it connects. */
  private readonly extra: PoolOptions
  private readonly sides = new Map<SidePool, TurnPool>()
  /** Connections that may be sent several statements at once. */
  private combined: Pool | undefined

  constructor(
    private readonly config: DatabaseSettings,
    entities: readonly EntityClass[],
    migrations: readonly MigrationClass[] = [],
  ) {
    this.extra = {
      ...{ waitForConnections: true, queueLimit: 5_000, maxIdle: config.pool, enableKeepAlive: true },
      // The stack of each query's caller, which TypeORM's own error has anyway: a twentieth of the server's time.
      trace: false,
    }
    this.source = new DataSource({
      type: 'mariadb',
      driver: mysql, // the bundle of the tests would load its modules twice
      ...(config.socket ? { socketPath: config.socket } : { host: config.host, port: config.port }),
      username: config.user,
      password: config.password,
      database: config.name,
      charset: 'utf8mb4_unicode_ci',
      timezone: 'Z',
      entities: [...entities],
      migrations: [...migrations] as never,
      migrationsTransactionMode: 'each',
      poolSize: config.pool,
      connectTimeout: connectTimeoutMs,
      extra: this.extra,
    })
  }

  async connect(): Promise<void> {
    const probe = new OwnConnection(this.config, connectTimeoutMs)
    const [row] = await probe.query<{ version: string }[]>('SELECT VERSION() AS version')
    const [galera] = await probe.query<{ Value: string }[]>("SHOW VARIABLES LIKE 'wsrep_on'")
    probe.close()
    const settings = [...perSession, ...(galera?.Value === 'ON' ? [galeraRetries] : [])]
    Object.assign(this.extra, idleConnections(row?.version ?? '', this.config.pool))
    await this.source.initialize()
    const driver = this.source.driver as unknown as DriverInside
    setForEach(driver.pool, settings)
    for (const setting of settings) await this.source.query(setting)
    await this.addSides(driver, settings)
    this.source.subscribers.push(new QueryTimes())
  }

  /** Has reads of the API, and background work, go over connections of their own. */
  private async addSides(driver: DriverInside, settings: readonly string[]): Promise<void> {
    const { read_pool, read_timeout, background_pool, call_pool } = this.config
    if (call_pool) this.combined = await sidePool(driver, call_pool, settings, { multipleStatements: true })
    if (read_pool && read_timeout)
      this.sides.set(
        'reads',
        new TurnPool(await sidePool(driver, read_pool, [...settings, statementLimit(read_timeout)]), {
          limits: { ofOwner: read_pool, inAll: read_pool },
          waitMs: read_timeout * 1_000,
          late: () => new ReadTooLongError('no connection came in time'),
        }),
      )
    if (background_pool)
      this.sides.set(
        'background',
        new TurnPool(await sidePool(driver, background_pool, settings), {
          // One connection is left for the others, however long the jobs of one workspace wait.
          limits: { ofOwner: background_pool - 1, inAll: background_pool },
          waitMs: backgroundWaitMs,
          late: () => new Error('no connection for background work came in time'),
        }),
      )
    const ordinary = driver.obtainMasterConnection.bind(driver)
    driver.obtainMasterConnection = async () => {
      const use = currentUse()
      const side = use && this.sides.get(use.pool)
      return side ? driver.prepareDbConnection(await side.take(use.owner)) : ordinary()
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.sides.values()].map(async (side) => side.end()))
    await this.combined?.promise().end()
    if (this.source.isInitialized) await this.source.destroy()
  }

  /** Connections of calls and changes that are in use and that there are, and how many wait for one. */
  get pool(): { used: number; open: number; waiting: number } {
    const { pool } = this.source.driver as unknown as { pool?: PoolInside }
    const both = [pool, this.combined as unknown as PoolInside | undefined].filter((one) => one !== undefined)
    const sum = (of: (one: PoolInside) => number) => both.reduce((all, one) => all + of(one), 0)
    const [open, free] = [sum((one) => one._allConnections.length), sum((one) => one._freeConnections.length)]
    return { used: open - free, open, waiting: sum((one) => one._connectionQueue.length) }
  }

  /** Whether the database answers; used by health. */
  async isUp(): Promise<boolean> {
    return this.source.query('SELECT 1').then(
      () => true,
      () => false,
    )
  }

  /**
   * All rows of a table, of whatever workspace: for tables that have none and for work that is the
   * platform's own (sweeps, jobs). What belongs to a workspace is read through a `WorkspaceTable`.
   */
  platformTable<E extends ObjectLiteral>(entity: EntityTarget<E>, tx?: EntityManager): Repository<E> {
    return (tx ?? this.source.manager).getRepository(entity)
  }

  private async committed<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return withHooks(async (hooks) =>
      this.source.transaction(async (tx) => {
        commitHooks.set(tx, hooks)
        return whileHolding(async () => work(tx))
      }),
    )
  }

  /** Reads a consistent snapshot. */
  async snapshot<T>(read: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.source.transaction('REPEATABLE READ', async (tx) => whileHolding(async () => read(tx)))
  }

  /**
   * Makes one transaction of all that `work` begins, one after the other: it is done as a whole or not at all. One that
   * fails within it is undone alone.
   */
  async together<T>(work: () => Promise<T>): Promise<T> {
    let following: readonly (() => Promise<void>)[] = []
    const result = await this.transaction(async (tx) => {
      const whole: Whole = { tx, isOver: false, following: [] }
      following = whole.following
      try {
        return await shared.run(whole, work)
      } finally {
        whole.isOver = true
      }
    })
    for (const next of following) await this.follow(next)
    return result
  }

  /** Does what follows a transaction, or, within {@link together}, has it follow the whole. */
  async follow(work: () => Promise<void>): Promise<void> {
    if (this.whole) this.whole.following.push(work)
    else await work()
  }

  /** Runs `work` in a transaction; a deadlock or lock time-out is tried again, as InnoDB asks. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.whole ? partOf(this.whole.tx, work) : retried(async () => this.committed(work))
  }

  /**
   * As {@link transaction}, for what every call does: statements that `work` sends with `later` and `mustChange`
   * (combined.ts) travel with the next one whose result is needed, or with the commit. `work` must not catch their errors.
   */
  async combine<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const { combined, source } = this
    if (this.whole || !combined) return this.transaction(work)
    return retried(async () =>
      withHooks(async (hooks) =>
        combining(source, combined, async (tx) => {
          commitHooks.set(tx, hooks)
          return whileHolding(async () => work(tx))
        }),
      ),
    )
  }

  /** Whether the work under way is a part of {@link together}. */
  get isPart(): boolean {
    return this.whole !== undefined
  }

  private get whole(): Whole | undefined {
    const whole = shared.getStore()
    return whole && !whole.isOver ? whole : undefined
  }
}

async function retried<T>(attemptOnce: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce()
    } catch (error) {
      const isLate = attempt >= fewAttempts && performance.now() - began > soonMs
      if (isLate || attempt >= mostAttempts || !lockConflicts.has(errorCode(error))) throw error
      // Transactions that conflicted once would conflict again, above all on a cluster, where none waits for a lock.
      await sleep(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt))
    }
  }
}

/** Does what was to follow the commit of a transaction. */
async function withHooks<T>(transaction: (hooks: (() => void)[]) => Promise<T>): Promise<T> {
  const hooks: (() => void)[] = []
  const result = await transaction(hooks)
  for (const hook of hooks) hook()
  return result
}

/** What is done once a transaction is committed. */
const commitHooks = new WeakMap<EntityManager, (() => void)[]>()

/** Does something once a transaction is committed, and never if it is not; at once outside of transactions. */
export function afterCommit(tx: EntityManager, work: () => void): void {
  const hooks = commitHooks.get(tx)
  if (hooks) hooks.push(work)
  else work()
}

/** A transaction within another one, up to a savepoint. What was to follow its commit is dropped with it. */
async function partOf<T>(tx: EntityManager, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  const hooks = commitHooks.get(tx)
  const before = hooks?.length
  try {
    return await tx.transaction(work)
  } catch (error) {
    hooks?.splice(before ?? 0)
    throw error
  }
}

/** After this time, in milliseconds, only the first few attempts are made: each may have waited for a lock. */
const soonMs = 3_000
const fewAttempts = 5
const mostAttempts = 25
const firstPauseMs = 2
const longestPauseMs = 100

function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code
}

/**
 * What was rolled back, and may succeed when it is done again. Galera says that another node was first as a deadlock, Group
 * Replication with a code of its own.
 */
const lockConflicts: ReadonlySet<string | undefined> = new Set([
  ...['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT'],
])

/** Whether an insert or update names a row that is not there. */
export function isMissingReference(error: unknown): boolean {
  return errorCode(error) === 'ER_NO_REFERENCED_ROW_2'
}

/** Whether a row could not be deleted because another one names it. */
export function isReferenced(error: unknown): boolean {
  return errorCode(error) === 'ER_ROW_IS_REFERENCED_2'
}

/** Whether a number grew too large for its column. */
export function isOutOfRange(error: unknown): boolean {
  return errorCode(error) === 'ER_WARN_DATA_OUT_OF_RANGE'
}

/** Whether an insert or update broke a UNIQUE constraint. */
export function isDuplicate(error: unknown): boolean {
  return errorCode(error) === 'ER_DUP_ENTRY'
}

/** The name of the UNIQUE constraint that an insert or update broke; MySQL writes the table before it. */
export function duplicateKey(error: unknown): string | undefined {
  if (!isDuplicate(error)) return undefined
  const { sqlMessage = '' } = error as { sqlMessage?: string }
  return /for key '(?:\w+\.)?(\w+)'$/.exec(sqlMessage)?.[1]
}
