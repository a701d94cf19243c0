/** One MariaDB for a whole test run, on a free port, its data in a temporary folder. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { Child } from './child.js'
import { freePorts } from './free-ports.js'
import { root } from './paths.js'
import { keepSystemTables, putSystemTables } from './system-tables.js'
import { makeTables } from './tables.js'

interface MariadbOptions {
  directory: string
  port: number
  user: string
  password: string
  name: string
  kamailioPassword: string
  bufferPoolMb: number
  durable: boolean
}

interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
}

interface MariadbPart {
  prepareMariadb(options: MariadbOptions): Promise<Command & { socket: string }>
  mariadbReady(options: MariadbOptions, deadlineMs: number, giveUp: () => string | undefined): Promise<void>
}

/** The installer's part; it is plain JavaScript outside of the server's build, so that it is found by address. */
async function mariadbPart(): Promise<MariadbPart> {
  const address = new URL('installer/parts/mariadb.mjs', root)
  return (await import(address.href)) as MariadbPart
}

/** A running MariaDB. */
export interface Mariadb {
  readonly host: string
  readonly port: number
  /** Path of its Unix socket, over which an installed server speaks to it. */
  readonly socket: string
  readonly user: string
  readonly password: string
  /** Makes an empty database and returns its name. */
  createDatabase(): Promise<string>
  /** Makes the tables of a database, with all rights on them. */
  migrate(name: string): Promise<void>
  /** Kamailio's login, with which it may use what `migrate()` has made. */
  readonly kamailio: { readonly user: string; readonly password: string }
  /** Stops the server as a crash or an outage would; data stay. */
  pause(): Promise<void>
  /** How often that was done. */
  readonly pauses: number
  /** Starts it again after `pause()`. */
  resume(): Promise<void>
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/**
 * Starts a MariaDB. It needs the Debian package mariadb-server and about two seconds.
 * @throws when it is not ready within a minute
 */
export async function startMariadb({ durable = false, bufferPoolMb = 64 } = {}): Promise<Mariadb> {
  const part = await mariadbPart()
  const folder = await mkdtemp(join(tmpdir(), 'jackfield-db-'))
  await chmod(folder, 0o755) // mariadbd runs as user mysql
  const [port = 0] = await freePorts(1)
  const options: MariadbOptions = {
    directory: join(folder, 'mariadb'),
    port,
    user: 'jackfield',
    password: randomBytes(12).toString('hex'),
    name: 'jackfield',
    kamailioPassword: randomBytes(12).toString('hex'),
    bufferPoolMb,
    durable,
  }
  await putSystemTables(options.directory)
  const { socket } = await part.prepareMariadb(options)
  await keepSystemTables(options.directory)
  let child = await start()
  let made = 0
  let pauses = 0

  async function start(): Promise<Child> {
    const { command, args, env } = await part.prepareMariadb(options)
    const started = await Child.start(command, args, { env })
    try {
      await part.mariadbReady(options, 60_000, () => started.obituary)
    } catch (error) {
      await started.stop()
      throw new Error(`${(error as Error).message}\n${started.output.slice(-2000)}`, { cause: error })
    }
    return started
  }

  return {
    host: '127.0.0.1',
    port,
    socket,
    user: options.user,
    password: options.password,
    async createDatabase() {
      made += 1
      const name = `jackfield_${process.pid}_${made}`
      const { user, password } = options
      const connection = await createConnection({ host: '127.0.0.1', port, user, password })
      await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`)
      await connection.end()
      return name
    },
    kamailio: { user: 'kamailio', password: options.kamailioPassword },
    async migrate(name) {
      const { user, password } = options
      await makeTables({ host: '127.0.0.1', port, user, password }, name)
    },
    get pauses() {
      return pauses
    },
    async pause() {
      pauses += 1
      await child.stop(20_000)
    },
    async resume() {
      child = await start()
    },
    async stop() {
      await child.stop(20_000)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

let shared: Promise<Mariadb> | undefined

/** The one MariaDB of this test process; each appliance has a database of its own in it. */
export async function sharedMariadb(): Promise<Mariadb> {
  return (shared ??= startMariadb())
}

/** Stops it; called once, when all tests have run. */
export async function stopSharedMariadb(): Promise<void> {
  await (await shared)?.stop()
  shared = undefined
}

/** Runs one statement in a database, over a connection of its own, as the account whose threads a server's are. */
export async function runStatement(
  { socket: socketPath, user, password }: Mariadb,
  database: string,
  sql: string,
  values: unknown[] = [],
): Promise<any[]> {
  const connection = await createConnection({ socketPath, user, password, database })
  try {
    const [rows] = await connection.query(sql, values)
    return rows as any[]
  } finally {
    await connection.end()
  }
}
