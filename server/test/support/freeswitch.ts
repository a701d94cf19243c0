/** A real FreeSWITCH for tests, on free ports, its files in a temporary folder. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Child } from './child.js'
import { freePorts, ownRange } from './free-ports.js'
import { pathOf, root } from './paths.js'

interface FreeswitchOptions {
  binary: string
  directory: string
  sipPort: number
  rtpHost?: string
  rtpStart: number
  rtpEnd: number
  eslPort: number
  eslPassword: string
  edgeHost: string
  logLevel: string
}

interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
}

interface FreeswitchPart {
  findFreeswitch(): string | null
  moduleFolder(binary: string): string
  prepareFreeswitch(options: FreeswitchOptions): Promise<Command & { journal: string }>
  freeswitchReady(
    options: FreeswitchOptions,
    deadlineMs: number,
    giveUp: () => string | undefined,
  ): Promise<void>
}

/** The installer's part; it is plain JavaScript outside of the server's build, so that it is found by address. */
async function freeswitchPart(): Promise<FreeswitchPart> {
  const address = new URL('installer/parts/freeswitch.mjs', root)
  return (await import(address.href)) as FreeswitchPart
}

/** A running FreeSWITCH. */
export interface Freeswitch {
  readonly host: string
  /** TCP port of its Event Socket. */
  readonly port: number
  readonly password: string
  /** SIP port of its profile on 127.0.0.1. */
  readonly sipPort: number
  /** Path of its journal of ended channels; '' where it keeps none. */
  readonly journal: string
  readonly pid: number
  /** What it printed. */
  output(): string
  /** Kills it at once, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same ports after `kill()`. */
  restart(): Promise<void>
  /** Stops it and removes its files. */
  stop(): Promise<void>
}

const CERTIFICATE_DAYS = 30

/** Audio lies below the ports that tests choose for themselves. */
const RTP = ownRange(10_000, 14_800)
const RTP_PORTS = 200
let instances = 0

/** Apart for runs that overlap too. */
function nextRtpStart(): number {
  const blocks = Math.max(1, Math.floor((RTP.to - RTP.from) / RTP_PORTS))
  const block = (process.pid + 5 * instances) % blocks
  instances += 1
  return RTP.from + block * RTP_PORTS
}

/** The `freeswitch` program of this machine, or null. */
export async function findFreeswitch(): Promise<string | null> {
  return (await freeswitchPart()).findFreeswitch()
}

/** Whether that has a module, for tests of what needs one that is not required. */
export async function hasModule(name: string): Promise<boolean> {
  const part = await freeswitchPart()
  const binary = part.findFreeswitch()
  return binary !== null && existsSync(join(part.moduleFolder(binary), `${name}.so`))
}

export interface FreeswitchSettings {
  /** Kamailio's private address. */
  edgeHost?: string
  /** UDP and TCP port of its SIP profile [a free one]. */
  sipPort?: number
  /** Address that audio is sent to [127.0.0.1]. */
  rtpHost?: string
  /** The first UDP port of audio, and how many there are: two a channel. */
  rtpStart?: number
  rtpPorts?: number
  logLevel?: string
  /** Extensions of the dialplan that come before our own, for comparing with it. */
  extensions?: string
}

/**
 * Starts a FreeSWITCH that lets SIP in from one edge address and 127.0.0.1.
 * @throws when there is no FreeSWITCH, or it is not ready within 30 s
 */
export async function startFreeswitch({
  edgeHost = '127.0.0.2',
  rtpPorts = RTP_PORTS,
  logLevel = 'warning',
  extensions = '',
  ...settings
}: FreeswitchSettings = {}): Promise<Freeswitch> {
  const part = await freeswitchPart()
  const binary = part.findFreeswitch()
  if (!binary) throw new Error('no freeswitch program is found')
  const folder = await mkdtemp(join(tmpdir(), 'jackfield-fs-'))
  const [eslPort = 0, freePort = 0] = await freePorts(2)
  const sipPort = settings.sipPort ?? freePort
  const rtpStart = settings.rtpStart ?? nextRtpStart()
  const options: FreeswitchOptions = {
    binary,
    directory: join(folder, 'freeswitch'),
    sipPort,
    ...(settings.rtpHost && { rtpHost: settings.rtpHost }),
    rtpStart,
    rtpEnd: rtpStart + rtpPorts - 1,
    eslPort,
    eslPassword: 'a-password-of-the-tests',
    edgeHost,
    logLevel,
  }
  const prepared = await part.prepareFreeswitch(options)
  for (const name of ['dtls-srtp.pem', 'wss.pem'])
    await copyFile(await certificate(), join(options.directory, 'certs', name))
  if (extensions) await addExtensions(join(options.directory, 'conf', 'freeswitch.xml'), extensions)
  let child = await start()

  async function start(): Promise<Child> {
    const { command, args, env } = prepared
    const started = await Child.start(command, args, { env })
    try {
      await part.freeswitchReady(options, 30_000, () => started.obituary)
    } catch (error) {
      await started.stop()
      throw new Error(`${(error as Error).message}\n${started.output.slice(-2000)}`, { cause: error })
    }
    return started
  }

  return {
    host: '127.0.0.1',
    port: eslPort,
    password: options.eslPassword,
    sipPort,
    journal: prepared.journal,
    get pid() {
      return child.pid
    },
    output: () => child.output,
    async kill() {
      process.kill(child.pid, 'SIGKILL')
      await child.exitCode(5000)
    },
    async restart() {
      child = await start()
    },
    async stop() {
      await child.stop(0) // at SIGTERM it would sleep for four seconds
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The key and certificate of encrypted audio, and of MSRP, which is not used. FreeSWITCH takes seconds of a core to make each
 * of them at a first start, and takes none of less than 4,096 bits; so tests make them once.
 */
async function certificate(): Promise<string> {
  const folder = pathOf('node_modules/.cache/jackfield/')
  const path = join(folder, 'dtls-srtp.pem')
  const made = await stat(path).catch(() => undefined)
  if (made && Date.now() - made.mtimeMs < CERTIFICATE_DAYS * 86_400_000) return path
  const { stdout } = await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:4096', '-nodes', '-subj', '/CN=FreeSWITCH'],
    ...['-days', String(2 * CERTIFICATE_DAYS), '-keyout', '-', '-out', '-'],
  ])
  await mkdir(folder, { recursive: true })
  const half = `${path}.${String(process.pid)}`
  await writeFile(half, stdout, { mode: 0o600 })
  await rename(half, path) // others may read it now
  return path
}

async function addExtensions(path: string, extensions: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('<context name="edge">', `$&\n${extensions}`))
}
