/** A whole appliance under faults: `npm run up` in a folder of its own, on free ports and on disks that can be filled. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../../server/dist/test/support/free-ports.js'
import { run, runAtExit } from './command.js'
import { Disk } from './disk.js'

export type PartName = 'mariadb' | 'kamailio' | 'switch' | 'server'

interface SupervisorState {
  parts: { name: string; state: string; since: string; restarts: number; process: { pid: number } | null }[]
}

const portNames = [
  ...['HTTP_PORT', 'SIP_PORT', 'SIP_TLS_PORT', 'SIP_WS_PORT', 'SIP_WSS_PORT', 'EDGE_RPC_PORT'],
  ...['SIP_CAPTURE_PORT', 'DATABASE_PORT', 'SWITCH_PORT', 'SWITCH_SIP_PORT'],
  ...['SWITCH_APP_PORT', 'SANDBOX_SMPP_PORT'],
] as const
type PortName = (typeof portNames)[number]

/** `up` compiles what has changed. */
const buildMs = 600_000

const stateDiskMb = 1_500
const recordingsDiskMb = 100

const unlimited = {
  JACKFIELD_RATE_LIMITS_DEFAULT: '1000000',
  JACKFIELD_RATE_LIMITS_HEAVY: '1000000',
  JACKFIELD_RATE_LIMITS_SMS: '1000000',
  JACKFIELD_CALLS_MAX_CONCURRENT: '100000',
  JACKFIELD_CALLS_MAX_PER_SECOND: '10000',
}

export class Plant {
  private constructor(
    private readonly folder: string,
    readonly home: Disk,
    readonly recordings: Disk,
    readonly ports: Readonly<Record<PortName, number>>,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    // Before the disks, of which it lives, are taken away.
    process.prependOnceListener('exit', this.leave)
    process.once('exit', this.removeFolder)
  }

  static async start(): Promise<Plant> {
    const folder = mkdtempSync(join(tmpdir(), 'jackfield-faults-'))
    await chmod(folder, 0o755) // MariaDB's own user must pass
    const home = await Disk.make(join(folder, 'home'), stateDiskMb)
    const recordings = await Disk.make(join(folder, 'recordings'), recordingsDiskMb)
    const free = await freePorts(portNames.length)
    const ports = Object.fromEntries(portNames.map((name, index) => [name, free[index] ?? 0])) as Record<
      PortName,
      number
    >
    const settings = {
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [`JACKFIELD_${name}`, String(port)])),
      ...unlimited,
      JACKFIELD_HOME: home.path,
      JACKFIELD_EDGE_SIP_PORT: String(ports.SIP_PORT),
      JACKFIELD_SWITCH_KIND: 'freeswitch',
      JACKFIELD_RTP_START: '10000',
      JACKFIELD_RTP_END: '14599',
      JACKFIELD_DISK_MIN_MB: '100',
      JACKFIELD_LOG_LEVEL: 'warn',
      JACKFIELD_RECORDINGS_DIRECTORY: recordings.path,
    }
    const others = Object.entries(process.env).filter(([name]) => !name.startsWith('JACKFIELD_'))
    const plant = new Plant(folder, home, recordings, ports, { ...Object.fromEntries(others), ...settings })
    try {
      await plant.command('up')
    } catch (error) {
      await plant.stop().catch(() => undefined) // what is left ends with this process
      throw error
    }
    return plant
  }

  get operatorToken(): string {
    return readFileSync(join(this.home.path, 'secrets/operator-token'), 'utf8').trim()
  }

  /** What only the appliance knows, such as the database's password. */
  secret(name: string): string {
    return readFileSync(join(this.home.path, 'secrets', name), 'utf8').trim()
  }

  /** The leader of a part's process group; 0 when none runs. */
  pid(name: PartName): number {
    return this.part(name)?.process?.pid ?? 0
  }

  restarts(name: PartName): number {
    return this.part(name)?.restarts ?? 0
  }

  /** The leader of a part that is up and lives; 0 when none does. */
  upAs(name: PartName): number {
    const part = this.part(name)
    const pid = part?.process?.pid ?? 0
    // The supervisor's state may be old: it cannot write it on a full disk.
    return part?.state === 'up' && pid > 0 && isAlive(pid) ? pid : 0
  }

  /** To all processes of a part. */
  signal(name: PartName, signal: NodeJS.Signals): void {
    const pid = this.pid(name)
    try {
      if (pid > 0) process.kill(-pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  async stop(): Promise<void> {
    await this.command('down')
    process.off('exit', this.leave)
    await this.recordings.remove()
    await this.home.remove()
    await rm(this.folder, { recursive: true })
    process.off('exit', this.removeFolder)
  }

  private readonly leave = () => {
    // The process groups that were stopped cannot end.
    for (const name of ['mariadb', 'kamailio', 'switch', 'server'] as const) this.signal(name, 'SIGCONT')
    runAtExit(process.execPath, [script('down')], this.env)
  }

  private readonly removeFolder = () => rmSync(this.folder, { recursive: true, force: true })

  private part(name: PartName): SupervisorState['parts'][number] | undefined {
    try {
      const text = readFileSync(join(this.home.path, 'run/supervisor.json'), 'utf8')
      return (JSON.parse(text) as SupervisorState).parts.find((one) => one.name === name)
    } catch {
      return undefined // it was not up yet
    }
  }

  private async command(name: 'up' | 'down'): Promise<void> {
    await run(process.execPath, [script(name)], { env: this.env, timeoutMs: buildMs })
  }
}

const script = (name: string) => fileURLToPath(new URL(`../../../installer/${name}.mjs`, import.meta.url))

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
