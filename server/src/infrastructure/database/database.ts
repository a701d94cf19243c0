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
import mysql, { type Pool, type PoolConnection, type PoolOptions } from 'mysql2'
import { OwnConnection } from './own-connection.js'
import { QueryTimes } from './query-times.js'
import { type SidePool, currentUse, whileHolding } from './pool-use.js'
import { ReadTooLongError, TurnPool, statementLimit } from './turn-pool.js'

type EntityClass = new () => object
type MigrationClass = new () => { up: unknown; down: unknown }

/** What TypeORM's driver keeps and does for itself. */
interface DriverInside {
  readonly pool: Pool
  readonly options: object
  createConnectionOptions(options: object, credentials: object): object
  createPool(options: object): Promise<Pool>
  prepareDbConnection(connection: PoolConnection): PoolConnection
  obtainMasterConnection(): Promise<PoolConnection>
}

/** Private state of mysql2's pool. */
interface PoolInside {
  readonly _allConnections: { readonly length: number }
  readonly _freeConnections: { readonly length: number }
  readonly _connectionQueue: { readonly length: number }
}

/** Rows that others wrote are seen as soon as they are committed, also within a transaction. */
const isolation = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'

/** Seconds after which MySQL ends a connection that says nothing, and with it a transaction. */
const mysqlSilenceSeconds = 30

/**
 * The database hears nothing of a machine that vanished, and would keep for hours what that has locked. MariaDB ends a
 * transaction that says nothing for so many seconds. MySQL has no such limit: it ends the connection, see
 * {@link idleConnections}. Each reads its own comment alone.
 */
const idleTransaction = `SET @idle = 0 /*M!100300 , SESSION idle_transaction_timeout = 10 */ /*!80000 , SESSION wait_timeout = ${mysqlSilenceSeconds} */`

const perSession = [isolation, idleTransaction]

/** How often Galera itself retries a single statement that conflicts with one of another node. */
const galeraRetries = 'SET SESSION wsrep_retry_autocommit = 10'

/** Locks and statements wait no longer than this for a connection, in milliseconds. */
const connectTimeoutMs = 10_000

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
    const { read_pool, read_timeout, background_pool } = this.config
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
    if (this.source.isInitialized) await this.source.destroy()
  }

  /** Connections of the pool that are in use and that there are, and how many wait for one. */
  get pool(): { used: number; open: number; waiting: number } {
    const { pool } = this.source.driver as unknown as { pool?: PoolInside }
    const [open = 0, free = 0] = [pool?._allConnections.length, pool?._freeConnections.length]
    return { used: open - free, open, waiting: pool?._connectionQueue.length ?? 0 }
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
    const hooks: (() => void)[] = []
    const result = await this.source.transaction(async (tx) => {
      commitHooks.set(tx, hooks)
      return whileHolding(async () => work(tx))
    })
    for (const hook of hooks) hook()
    return result
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
    const whole = shared.getStore()
    if (whole && !whole.isOver) whole.following.push(work)
    else await work()
  }

  /** Runs `work` in a transaction; a deadlock or lock time-out is tried again, as InnoDB asks. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const whole = shared.getStore()
    if (whole && !whole.isOver) return partOf(whole.tx, work)
    const began = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.committed(work)
      } catch (error) {
        const isLate = attempt >= fewAttempts && performance.now() - began > soonMs
        if (isLate || attempt >= mostAttempts || !lockConflicts.has(errorCode(error))) throw error
        // Transactions that conflicted once would conflict again, above all on a cluster, where none waits for a lock.
        await sleep(Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt))
      }
    }
  }
}

/** One more pool on the same database, with settings of its own. */
async function sidePool(
  driver: DriverInside,
  connections: number,
  settings: readonly string[],
): Promise<Pool> {
  const options = { ...driver.options, poolSize: connections }
  const pool = await driver.createPool(driver.createConnectionOptions(options, options))
  // The connection that tried whether the database answers was made before this.
  setForEach(pool, settings)
  for (const setting of settings) await pool.promise().query(setting)
  return pool
}

/** Set once for each connection: before each transaction it would be one more statement. */
function setForEach(pool: Pool, settings: readonly string[]): void {
  pool.on('connection', (connection) => {
    keepPromises(connection)
    for (const setting of settings) void connection.query(setting)
  })
}

/** TypeORM asks for a connection's promise API with each query, and mysql2 wraps it again each time. */
function keepPromises(connection: PoolConnection): void {
  const promises = connection.promise()
  connection.promise = () => promises
}

/**
 * How long connections of the pool may be idle. MySQL closes idle connections: they are closed well before that, so that no
 * statement is sent on a connection that is about to end. With MariaDB all are kept.
 * @param version as the database reports it
 */
export function idleConnections(version: string, pool: number): Pick<PoolOptions, 'maxIdle' | 'idleTimeout'> {
  if (/mariadb/i.test(version)) return { maxIdle: pool }
  return { maxIdle: 0, idleTimeout: (mysqlSilenceSeconds * 1_000) / 2 }
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
