/** A real Kamailio for tests, started as the installer starts it, on free ports and addresses of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Child } from './child.js'
import { freePorts } from './free-ports.js'
import { type Mariadb, sharedMariadb } from './mariadb.js'
import { root } from './paths.js'

/** As `installer/parts/kamailio.mjs` has it. */
export interface KamailioOptions {
  directory: string
  sipHost: string
  listenHost?: string
  sipPort: number
  tlsPort: number
  wsPort: number
  wssPort: number
  privateHost: string
  privatePort: number
  rpcHost: string
  rpcPort: number
  capturePort?: number
  rpcSecret: string
  switchHost: string
  switchPort: number
  otherEdges?: string[]
  sipDomain: string
  mediaNetworks?: string
  database: { host: string; port: number; user: string; password: string; name: string }
  tlsVerify?: boolean
  tlsCaFile?: string
  tlsOnlyCaFile?: boolean
  workers?: number
  binary?: string
  logLevel?: 'error' | 'warn' | 'notice' | 'info' | 'debug'
}

interface KamailioPart {
  prepareKamailio: (
    options: KamailioOptions,
  ) => Promise<{ command: string; args: string[]; env: Record<string, string> }>
  kamailioReady: (
    options: KamailioOptions,
    deadlineMs: number,
    giveUp?: () => string | undefined,
  ) => Promise<void>
  kamailioHealth: (options: KamailioOptions) => Promise<{ ok: boolean; detail: string }>
  kamailioRpc: (options: KamailioOptions, method: string, params?: (string | number)[]) => Promise<unknown>
}

/** The installer's part; it is plain JavaScript outside of the server's build, so that it is found by address. */
export async function kamailioPart(): Promise<KamailioPart> {
  const modules = await Promise.all(
    ['kamailio.mjs', 'kamailio-rpc.mjs'].map(async (name): Promise<object> => {
      const address = new URL(`installer/parts/${name}`, root)
      return import(address.href) as Promise<object>
    }),
  )
  return Object.assign({}, ...modules) as KamailioPart
}

export interface Kamailio {
  readonly options: KamailioOptions
  readonly pid: number
  /** Everything it logged. */
  readonly log: string
  /** Undefined while it runs. */
  readonly obituary: string | undefined
  rpc(method: string, params?: (string | number)[]): Promise<unknown>
  /** Stops it and starts it again with what it has on disk. @param meanwhile done while it is down */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts one and waits until it answers.
 * @param overrides for example `{switchPort, tlsCaFile}`; the switch is 127.0.0.1 unless said otherwise, and the
 *   database one of its own in the shared MariaDB
 */
export async function startKamailio(overrides: Partial<KamailioOptions> = {}): Promise<Kamailio> {
  const part = await kamailioPart()
  const directory = await mkdtemp(join(tmpdir(), 'jackfield-kamailio-'))
  const [sipPort = 0, tlsPort = 0, wsPort = 0, wssPort = 0] = await freePorts(4)
  const [privatePort = 0, rpcPort = 0, switchPort = 0] = await freePorts(3)
  const options: KamailioOptions = {
    ...{ directory, sipHost: '127.0.0.1', sipPort, tlsPort, wsPort, wssPort },
    ...{ privateHost: '127.0.0.2', privatePort, rpcHost: '127.0.0.1', rpcPort },
    ...{ rpcSecret: 'secret-of-the-tests', switchHost: '127.0.0.1', switchPort, workers: 2 },
    sipDomain: 'sip.localhost',
    database: overrides.database ?? (await newDatabase()),
    ...overrides,
  }
  const { command, args, env } = await part.prepareKamailio(options)
  const start = async (): Promise<Child> => {
    const started = await Child.start(command, args, { env })
    try {
      await part.kamailioReady(options, 10_000, () => started.obituary)
    } catch (error) {
      await started.stop()
      throw error
    }
    return started
  }
  let child = await start().catch(async (error: unknown) => {
    await rm(directory, { recursive: true, force: true })
    throw error
  })
  return {
    options,
    get pid() {
      return child.pid
    },
    get log() {
      return child.output
    },
    get obituary() {
      return child.obituary
    },
    rpc: async (method, params) => part.kamailioRpc(options, method, params),
    async restart(meanwhile) {
      await child.stop()
      await meanwhile?.()
      child = await start()
    },
    async stop() {
      await child.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Kamailio's login to a database whose tables are made. */
export function databaseOfKamailio(mariadb: Mariadb, name: string): KamailioOptions['database'] {
  return { host: mariadb.host, port: mariadb.port, ...mariadb.kamailio, name }
}

async function newDatabase(): Promise<KamailioOptions['database']> {
  const mariadb = await sharedMariadb()
  const name = await mariadb.createDatabase()
  await mariadb.migrate(name)
  return databaseOfKamailio(mariadb, name)
}
