/** A whole appliance for tests: the real server process on a real MariaDB, with a switch and an edge. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiClient, eventually } from './api-client.js'
import { Child } from './child.js'
import { freePorts } from './free-ports.js'
import { type Freeswitch, type FreeswitchSettings, findFreeswitch, startFreeswitch } from './freeswitch.js'
import { leaveIdleAppliance, platformRows, takeIdleAppliance, workspacesAreGone } from './idle-appliance.js'
import { type Kamailio, databaseOfKamailio, startKamailio } from './kamailio.js'
import { type Mariadb, sharedMariadb } from './mariadb.js'
import { serverProgram } from './paths.js'
import { TcpCut } from './tcp-cut.js'

const operatorToken = 'operator-token-of-the-tests'

export type SwitchKind = 'freeswitch' | 'sandbox'

interface ApplianceOptions {
  switch?: SwitchKind
  /** Settings of the server, as JACKFIELD_* variables. */
  settings?: Record<string, string>
  /** Overrides of Kamailio's options, for example the CA of a carrier; with them the sandbox has an edge too. */
  edge?: Parameters<typeof startKamailio>[0]
  freeswitch?: FreeswitchSettings
  mariadb?: Mariadb
  /** A new one in any case, where a test counts on that. */
  isNew?: boolean
}

/** A workspace with an owner's key. */
export interface TestWorkspace {
  id: string
  api: ApiClient
  sid: string
  secret: string
  appliance: Appliance
}

export class Appliance {
  private server: Child | undefined
  private readonly others = new Map<number, Child>()
  private counter = 0
  /** Of the options that it was started with; '' where it cannot be started alike. */
  private key = ''
  private asNew = ''

  private constructor(
    readonly port: number,
    readonly kind: SwitchKind,
    readonly mariadb: Mariadb,
    readonly databaseName: string,
    private readonly environment: Record<string, string>,
    private sandbox: Child | undefined,
    private readonly sandboxEnvironment: Record<string, string>,
    private readonly link: TcpCut,
    /** Undefined with the sandbox. */
    readonly freeswitch: Freeswitch | undefined,
    readonly kamailio: Kamailio | undefined,
    readonly mediaDirectory: string,
  ) {}

  /** One alike that an earlier test file of this process has left as new, or else a new one. */
  static async start(options: ApplianceOptions = {}): Promise<Appliance> {
    const key = options.mariadb || options.isNew ? '' : JSON.stringify(options)
    const idle = await takeIdleAppliance(key)
    if (idle instanceof Appliance) return idle
    const appliance = await Appliance.startNew(options)
    appliance.key = key
    appliance.asNew = await appliance.state()
    return appliance
  }

  /** Starts everything and waits until `/health` is content. */
  private static async startNew(options: ApplianceOptions): Promise<Appliance> {
    const kind = options.switch ?? 'sandbox'
    const mariadb = options.mariadb ?? (await sharedMariadb())
    const databaseName = await mariadb.createDatabase()
    const mediaDirectory = await mkdtemp(join(tmpdir(), 'jackfield-media-'))
    const [port = 0, sandboxPort = 0, smppPort = 0, sipPort = 0] = await freePorts(4)
    const tables = mariadb.migrate(databaseName)
    const [freeswitch, kamailio] = await Promise.all([
      kind === 'freeswitch' ? startFreeswitch({ sipPort, ...options.freeswitch }) : undefined,
      kind === 'freeswitch' || options.edge
        ? tables.then(async () =>
            startKamailio({
              database: databaseOfKamailio(mariadb, databaseName),
              ...(kind === 'freeswitch' && { switchPort: sipPort }),
              ...options.edge,
            }),
          )
        : tables.then(() => undefined),
    ])
    const password = freeswitch?.password ?? randomBytes(12).toString('hex')
    const sandboxEnvironment = {
      JACKFIELD_SWITCH_HOST: '127.0.0.1',
      JACKFIELD_SWITCH_PORT: String(sandboxPort),
      JACKFIELD_SWITCH_PASSWORD: password,
      JACKFIELD_SWITCH_JOURNAL: join(mediaDirectory, 'ended.csv'),
      JACKFIELD_SANDBOX_SMPP_PORT: String(smppPort),
    }
    const sandbox = freeswitch ? undefined : await startSandbox(sandboxEnvironment)
    const link = await TcpCut.to(freeswitch?.port ?? sandboxPort)
    const environment: Record<string, string> = {
      JACKFIELD_HTTP_PORT: String(port),
      JACKFIELD_OPERATOR_TOKEN: operatorToken,
      JACKFIELD_NEW_WORKSPACES_COUNTRIES: 'all',
      JACKFIELD_NEW_WORKSPACES_MAX_SPEND_PER_DAY: '0',
      JACKFIELD_SECRET_KEY: randomBytes(32).toString('base64'),
      JACKFIELD_DATABASE_HOST: mariadb.host,
      JACKFIELD_DATABASE_PORT: String(mariadb.port),
      JACKFIELD_DATABASE_SOCKET: mariadb.socket,
      JACKFIELD_DATABASE_USER: mariadb.user,
      JACKFIELD_DATABASE_PASSWORD: mariadb.password,
      JACKFIELD_DATABASE_NAME: databaseName,
      JACKFIELD_DATABASE_POOL: '10',
      JACKFIELD_SWITCH_HOST: '127.0.0.1',
      JACKFIELD_SWITCH_PORT: String(link.port),
      JACKFIELD_SWITCH_PASSWORD: password,
      JACKFIELD_SWITCH_OWN_SIP_ADDRESS: freeswitch ? `127.0.0.1:${freeswitch.sipPort}` : '',
      JACKFIELD_SWITCH_JOURNAL: freeswitch?.journal ?? join(mediaDirectory, 'ended.csv'),
      JACKFIELD_MEDIA_DIRECTORY: mediaDirectory,
      JACKFIELD_LOG_LEVEL: 'warn',
      ...(kamailio && {
        JACKFIELD_EDGE_PUBLIC_HOST: kamailio.options.sipHost,
        JACKFIELD_EDGE_PUBLIC_PORT: String(kamailio.options.sipPort),
        JACKFIELD_EDGE_PUBLIC_TLS_PORT: String(kamailio.options.tlsPort),
        JACKFIELD_EDGE_PUBLIC_WSS_PORT: String(kamailio.options.wssPort),
        JACKFIELD_EDGE_SIP_HOST: kamailio.options.privateHost,
        JACKFIELD_EDGE_SIP_PORT: String(kamailio.options.privatePort),
        JACKFIELD_EDGE_RPC_URL: `http://${kamailio.options.rpcHost}:${kamailio.options.rpcPort}/RPC`,
        JACKFIELD_EDGE_RPC_SECRET: kamailio.options.rpcSecret,
      }),
      ...options.settings,
    }
    const appliance = new Appliance(
      ...([port, kind, mariadb, databaseName, environment, sandbox, sandboxEnvironment, link] as const),
      ...([freeswitch, kamailio, mediaDirectory] as const),
    )
    await appliance.startServer()
    return appliance
  }

  /** The operator, on the operator's host. */
  get operator(): ApiClient {
    return new ApiClient(this.port, 'admin.localhost', `Operator ${operatorToken}`)
  }

  /** Makes a workspace with credit and an owner's key of full scope. */
  async workspace({ credit = 100, id = this.newId() } = {}): Promise<TestWorkspace> {
    const made = await this.operator.post('/workspaces', { id, title: `Workspace ${id}`, country_code: 'US' })
    if (made.status !== 201) throw new Error(`no workspace: ${JSON.stringify(made.body)}`)
    if (credit > 0) await this.operator.post(`/workspaces/${id}/credit`, { amount: credit })
    const asOperator = this.operator.with({ host: `${id}.localhost` })
    const key = await asOperator.post('/api-keys', { scope: 'full', role: 'owner' })
    const { sid, secret, api_key } = key.body as { sid: string; secret: string; api_key: string }
    return { id, sid, secret, appliance: this, api: asOperator.with({ authorization: `ApiKey ${api_key}` }) }
  }

  /** What the server printed. */
  get log(): string {
    return this.server?.output ?? ''
  }

  /** The key that the server signs with. */
  get secretKey(): Buffer {
    return Buffer.from(this.environment['JACKFIELD_SECRET_KEY'] ?? '', 'base64')
  }

  /** Settings of the server, as JACKFIELD_* variables. */
  get settings(): Readonly<Record<string, string>> {
    return this.environment
  }

  get serverPid(): number {
    return this.server?.pid ?? 0
  }

  /** Ends the server as a crash would. */
  async killServer(): Promise<void> {
    process.kill(this.serverPid, 'SIGKILL')
    await this.server?.exitCode(5_000)
  }

  /** Ends the server as the supervisor does; returns its exit code. */
  async stopServer(): Promise<number | null> {
    process.kill(this.serverPid, 'SIGTERM')
    return this.server?.exitCode(30_000) ?? null
  }

  async startServer(): Promise<void> {
    this.server = await startServer(this.environment, this.operator)
  }

  /**
   * Starts one more server on the same database, for requests that race between two of them. It ends with the
   * appliance.
   * @returns its port: `api.with({ port })`
   */
  async startAnotherServer(settings: Record<string, string> = {}): Promise<number> {
    const [port = 0] = await freePorts(1)
    const environment = { ...this.environment, JACKFIELD_HTTP_PORT: String(port), ...settings }
    this.others.set(port, await startServer(environment, this.operator.with({ port })))
    return port
  }

  /** Ends one of those as a crash would. */
  async killAnotherServer(port: number): Promise<void> {
    const server = this.others.get(port)
    this.others.delete(port)
    if (!server) throw new Error(`no server at port ${port}`)
    process.kill(server.pid, 'SIGKILL')
    await server.exitCode(5_000)
  }

  /** Ends those as the supervisor does. */
  async stopOtherServers(): Promise<void> {
    const others = [...this.others.values()]
    this.others.clear()
    await Promise.all(others.map(async (server) => server.stop(20_000)))
  }

  /** The switch's Event Socket, past what can be cut. */
  get eventSocket(): { host: string; port: number; password: string } {
    const port = this.freeswitch?.port ?? Number(this.sandboxEnvironment['JACKFIELD_SWITCH_PORT'])
    return { host: '127.0.0.1', port, password: this.environment['JACKFIELD_SWITCH_PASSWORD'] ?? '' }
  }

  /** Where the sandbox's SMSC takes binds. */
  get sandboxSmpp(): { host: string; port: number; system_id: string; password: string } {
    const port = Number(this.sandboxEnvironment['JACKFIELD_SANDBOX_SMPP_PORT'])
    return { host: '127.0.0.1', port, system_id: 'sandbox', password: 'sandbox' }
  }

  /** Cuts the link between server and switch for a while. */
  async cutLink(ms: number): Promise<void> {
    await this.link.cut(ms)
  }

  /** Ends the switch as a crash would, and starts it again. */
  async crashSwitch(): Promise<void> {
    if (this.freeswitch) {
      await this.freeswitch.kill()
      await this.freeswitch.restart()
      return
    }
    await this.sandbox?.stop(0)
    this.sandbox = await startSandbox(this.sandboxEnvironment)
  }

  /** Leaves it to the next test file where it is as new, and else ends it. */
  async stop(): Promise<void> {
    const isLeft = (await this.isAsNew()) && (await leaveIdleAppliance(this.key, this))
    if (!isLeft) await this.end()
  }

  /** Deletes the workspaces. @returns whether nothing else has changed since the start */
  private async isAsNew(): Promise<boolean> {
    if (this.key === '' || this.others.size > 0 || (await this.state()) !== this.asNew) return false
    const { body } = await this.operator.get('/workspaces?limit=100')
    const workspaces = (body as { data: { id: string }[] }).data
    for (const { id } of workspaces) {
      const { status } = await this.operator.delete(`/workspaces/${id}`)
      if (status >= 300) return false
    }
    if (!(await workspacesAreGone(this.mariadb, this.databaseName))) return false
    this.server?.forget()
    return true
  }

  /** The programs that run, and what the platform has beside workspaces. '' once a program has ended. */
  private async state(): Promise<string> {
    const scripts = [this.server, this.sandbox, this.freeswitch, this.kamailio].map((part) => part?.pid)
    const cut = [this.link.cuts, this.mariadb.pauses]
    try {
      for (const pid of scripts) if (pid !== undefined) process.kill(pid, 0)
      return JSON.stringify([scripts, cut, await platformRows(this.mariadb, this.databaseName)])
    } catch {
      return ''
    }
  }

  /** Ends all its programs. */
  async end(): Promise<void> {
    await Promise.all([this.server, ...this.others.values()].map(async (server) => server?.stop(10_000)))
    await this.link.close()
    await Promise.all([this.sandbox?.stop(), this.freeswitch?.stop(), this.kamailio?.stop()])
    await rm(this.mediaDirectory, { recursive: true, force: true })
  }

  private newId(): string {
    this.counter += 1
    return `ws${this.counter}-${randomBytes(3).toString('hex')}`
  }
}

/** Starts a server and waits until its `/health` is content. */
async function startServer(env: Record<string, string>, operator: ApiClient): Promise<Child> {
  const server = await Child.start(process.execPath, serverProgram('bin/main'), { env })
  await eventually(
    async () => {
      if (server.obituary) throw new Error(server.obituary)
      return operator.get('/health').catch(() => ({ status: 0, body: 'not reached' }))
    },
    ({ status }) => status === 200,
    { withinMs: 60_000, what: 'healthy server' },
  )
  return server
}

async function startSandbox(env: Record<string, string>): Promise<Child> {
  return Child.start(process.execPath, serverProgram('sandbox/main'), { env })
}

/** The switch that proves most: the real FreeSWITCH, and where there is none the sandbox. */
export async function realestSwitch(): Promise<SwitchKind> {
  return (await findFreeswitch()) ? 'freeswitch' : 'sandbox'
}

/** The switches of scenarios that show the sandbox to be as FreeSWITCH is: it, and FreeSWITCH where there is one. */
export async function availableSwitches(): Promise<SwitchKind[]> {
  return (await findFreeswitch()) ? ['sandbox', 'freeswitch'] : ['sandbox']
}
