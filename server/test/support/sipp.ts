/** SIPp at both ends of an edge: as carriers, and as the switch. */
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from './child.js'
import { freePort, sippPorts } from './free-ports.js'
import { pathOf } from './paths.js'
import { RtpEar } from './rtp-ear.js'
import { mediaAddress, parseTrace, type SipMessage } from './sip-message.js'
import { TlsRelay } from './tls-relay.js'

const SCENARIOS = pathOf('server/test/support/sipp/')

export interface SippOptions {
  /** Name of a file in `support/sipp`, without `.xml`. */
  scenario: string
  /** Values for the scenario's @@NAMES@@, which SIPp cannot take as keys. */
  values?: Record<string, string | number>
  /** Values for its [keywords]. */
  keys?: Record<string, string | number>
  transport?: 'udp' | 'tcp'
  host?: string
  port?: number
  /** Where a client sends to, `host:port`; a server has none. */
  remote?: string
  /** Calls to make, and how many a second. A server takes any number. */
  calls?: number
  rate?: number
  /** Whether it sends back the audio that it hears. */
  echo?: boolean
}

/** One running SIPp. */
export class Sipp {
  private readonly parsed: SipMessage[] = []
  private unparsed = ''
  private read = 0

  private constructor(
    private readonly child: Child,
    private readonly directory: string,
    readonly host: string,
    readonly port: number,
  ) {}

  /** Starts SIPp; a server is ready to take calls when this returns. */
  static async start(options: SippOptions): Promise<Sipp> {
    const { transport = 'udp', host = '127.0.0.1', calls = 1, rate = 50 } = options
    const directory = await mkdtemp(join(tmpdir(), 'jackfield-sipp-'))
    const scenario = join(directory, 'scenario.xml')
    const template = await readFile(join(SCENARIOS, `${options.scenario}.xml`), 'utf8')
    await writeFile(
      scenario,
      template.replace(/@@(\w+)@@/g, (whole, name: string) => String(options.values?.[name] ?? whole)),
    )
    const { port, controlPort, mediaPort } = await sippPorts()
    const own = options.port ?? port
    const child = await Child.start(
      'sipp',
      [
        ...(options.remote ? [options.remote, '-m', String(calls), '-r', String(rate)] : []),
        ...['-sf', scenario, '-i', host, '-p', String(own), '-t', transport === 'tcp' ? 't1' : 'u1'],
        ...(options.echo ? ['-rtp_echo', '-mi', host] : []),
        ...['-mp', String(mediaPort), '-cp', String(controlPort), '-nostdin', '-aa', '-max_socket', '4000'],
        ...['-trace_msg', '-message_file', join(directory, 'messages')],
        ...['-trace_err', '-error_file', join(directory, 'errors')],
        ...['-trace_logs', '-log_file', join(directory, 'log')],
        ...Object.entries(options.keys ?? {}).flatMap(([name, value]) => ['-key', name, String(value)]),
      ],
      { cwd: directory, env: { TERM: 'dumb' } },
    )
    const sipp = new Sipp(child, directory, host, own)
    if (!options.remote) await sipp.listening(transport)
    return sipp
  }

  /** All messages sent and received so far. */
  async messages(): Promise<SipMessage[]> {
    await this.readOn()
    // the last entry may still grow
    const last = this.unparsed.lastIndexOf('\n--------------------') + 1
    this.parsed.push(...parseTrace(this.unparsed.slice(0, last)))
    this.unparsed = this.unparsed.slice(last)
    return [...this.parsed, ...parseTrace(this.unparsed)]
  }

  /** What SIPp found unexpected. */
  async errors(): Promise<string> {
    return this.file('errors')
  }

  /** Waits until a client has made its calls: true when all went as the scenario says. */
  async finished(withinMs: number): Promise<boolean> {
    return (await this.child.exitCode(withinMs)) === 0
  }

  /** Waits for messages of which the test is sure that they come. */
  async waitFor(
    what: string,
    test: (message: SipMessage) => boolean,
    withinMs = 5000,
    count = 1,
  ): Promise<SipMessage[]> {
    const end = Date.now() + withinMs
    for (;;) {
      const found = (await this.messages()).filter(test)
      if (found.length >= count) return found
      if (Date.now() > end) throw new Error(`no ${what} within ${withinMs} ms; ${await this.errors()}`)
      await sleep(30)
    }
  }

  async stop(): Promise<void> {
    await this.child.stop(1000)
    await rm(this.directory, { recursive: true, force: true })
  }

  /** Reads what was added to the trace since. */
  private async readOn(): Promise<void> {
    const file = await open(join(this.directory, 'messages')).catch(() => undefined)
    if (!file) return
    try {
      const { size } = await file.stat()
      if (size <= this.read) return
      const start = this.read
      this.read = size
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
      this.unparsed += buffer.toString('latin1', 0, bytesRead)
    } finally {
      await file.close()
    }
  }

  private async file(name: string): Promise<string> {
    return readFile(join(this.directory, name), 'utf8').catch(() => '')
  }

  /** SIPp says nothing when it is ready, but the kernel knows. */
  private async listening(transport: 'udp' | 'tcp'): Promise<void> {
    const wanted = `:${this.port.toString(16).toUpperCase().padStart(4, '0')}`
    const end = Date.now() + 5000
    for (;;) {
      const sockets = (await readFile(`/proc/net/${transport}`, 'utf8')).split('\n')
      if (sockets.some((line) => line.trim().split(/\s+/)[1]?.endsWith(wanted))) return
      const obituary = this.child.obituary
      if (obituary || Date.now() > end) {
        await this.stop()
        throw new Error(obituary ?? `SIPp does not listen on port ${this.port}`)
      }
      await sleep(20)
    }
  }
}

export interface CarrierOptions {
  transport?: 'udp' | 'tcp' | 'tls'
  scenario?: 'carrier' | 'carrier-digest'
  host?: string
  /** Tone that callers hear [1000]. */
  toneHz?: number
  /** Keys that +12025550107 presses after a second [1234#]. */
  keys?: string
  /** For tls: PEM files; see `selfSigned()`. */
  tls?: { certificate: string; key: string }
}

/** A carrier that behaves by the number called (see `sipp/carrier.xml`). Takes any number of calls at once. */
export class Carrier {
  private readonly timer: NodeJS.Timeout
  private seen = 0

  private constructor(
    readonly transport: 'udp' | 'tcp' | 'tls',
    private readonly sipp: Sipp,
    private readonly relay: TlsRelay | undefined,
    /** The audio end of all calls but those that press keys. */
    readonly ear: RtpEar,
    private readonly keysEar: RtpEar,
  ) {
    this.timer = setInterval(() => void this.startAudio(), 100)
  }

  static async start(options: CarrierOptions = {}): Promise<Carrier> {
    const { transport = 'udp', scenario = 'carrier', host = '127.0.0.1' } = options
    const ear = await RtpEar.open({ host, toneHz: options.toneHz ?? 1000 })
    const keysEar = await RtpEar.open({ host, keys: options.keys ?? '1234#' })
    const port = await freePort()
    // Debian's SIPp is built without TLS
    const relay = transport === 'tls' ? await TlsRelay.start(host, port, options.tls) : undefined
    const sipp = await Sipp.start({
      ...{ scenario, host, port, transport: transport === 'udp' ? 'udp' : 'tcp' },
      keys: {
        contact: `sip:carrier@${host}:${relay?.port ?? port};transport=${transport}`,
        ...{ ear_host: host, ear_port: ear.port, keys_port: keysEar.port },
      },
    }).catch(async (error: unknown) => {
      await Promise.all([relay?.stop(), ear.close(), keysEar.close()])
      throw error
    })
    return new Carrier(transport, sipp, relay, ear, keysEar)
  }

  get host(): string {
    return this.sipp.host
  }

  /** The port that calls go to. */
  get port(): number {
    return this.relay?.port ?? this.sipp.port
  }

  /** The server name that the last TLS client asked for. */
  get serverName(): string | undefined {
    return this.relay?.serverName
  }

  /** TLS connections that came so far. */
  get connections(): number {
    return this.relay?.connections ?? 0
  }

  /** Its address for a number: `sip:+1202…@host:port;transport=x`. */
  uri(number: string): string {
    return `sip:${number}@${this.host}:${this.port};transport=${this.transport}`
  }

  async messages(): Promise<SipMessage[]> {
    return this.sipp.messages()
  }

  async waitFor(...parameters: Parameters<Sipp['waitFor']>): Promise<SipMessage[]> {
    return this.sipp.waitFor(...parameters)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.sipp.stop()
    await Promise.all([this.relay?.stop(), this.ear.close(), this.keysEar.close()])
  }

  /** A real carrier sends audio from its answer on, whether it hears anything or not. */
  private async startAudio(): Promise<void> {
    const messages = await this.messages()
    const fresh = messages.slice(this.seen)
    this.seen = messages.length
    for (const answer of fresh) {
      if (answer.method !== 'INVITE' || answer.direction !== 'sent' || !mediaAddress(answer)) continue
      const invite = messages.find(
        ({ method, status, callId }) => method === 'INVITE' && status === 0 && callId === answer.callId,
      )
      const caller = invite && mediaAddress(invite)
      const ear = mediaAddress(answer)?.port === this.keysEar.port ? this.keysEar : this.ear
      if (caller) ear.playTo(caller.host, caller.port)
    }
  }
}
