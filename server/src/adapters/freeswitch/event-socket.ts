/**
 * One connection to the Event Socket: commands with deadlines, and events as JSON. modesl serves as
 * socket and parser only; its higher calls mix up replies and leak (see its `execute`, `bgapi`, `once`).
 */
import modesl, { type Connection, type ModeslEvent } from 'modesl'
import { SwitchDownError, SwitchRefusedError, SwitchTimeoutError } from './errors.js'
import { secondsSince, topics } from '../../infrastructure/observability/telemetry.js'
import { SwitchEvent } from './switch-event.js'

export interface EventSocketAddress {
  readonly host: string
  readonly port: number
  readonly password: string
}

interface Handlers {
  onEvent(event: SwitchEvent): void
  /** Called once, however the connection ends. @param error why, where it did not just end */
  onClose(error?: unknown): void
}

const connectDeadlineMs = 5_000

/** Commands waiting for their reply; beyond it the switch does not keep up and commands are refused. */
const maxPending = 5_000

/** What the server needs to know of channels; each further name costs the switch time for every call. */
const subscribed = [
  'CHANNEL_PARK',
  'CHANNEL_ANSWER',
  'CHANNEL_PROGRESS',
  'CHANNEL_PROGRESS_MEDIA',
  'CODEC',
  'CHANNEL_BRIDGE',
  'CHANNEL_UNBRIDGE',
  'CHANNEL_HOLD',
  'CHANNEL_UNHOLD',
  'CHANNEL_EXECUTE_COMPLETE',
  'CHANNEL_HANGUP_COMPLETE',
  'DTMF',
  'RECORD_STOP',
  'BACKGROUND_JOB',
  'HEARTBEAT',
]

/** Applications whose end nothing waits for: their events are a third of all events of a call. */
const unheeded = ['set', 'unset', 'multiset', 'sched_hangup', 'park']

/** A filter with a minus drops what another one has let in (mod_event_socket). */
const filters = ['Event-Name /./', ...unheeded.map((application) => `Application -${application}`)]

/**
 * FreeSWITCH looks for events to send every 20 ms, and at once when something comes in on the socket. A line feed between
 * commands is enough for that, and is otherwise ignored (mod_event_socket.c, `read_packet`).
 */
const nudgeMs = 4

/** After this time without a call, in milliseconds, the next call may wait for those 20 ms. */
const awakeMs = 10_000

interface Pending {
  reject(error: Error): void
  timer: NodeJS.Timeout
}

export class EventSocket {
  /** When the switch last sent something, in milliseconds since 1970. */
  heardAt = Date.now()
  private readonly pending = new Set<Pending>()
  private closed = false
  private nudging: NodeJS.Timeout | undefined
  private lastEventAt = 0

  private constructor(
    private readonly connection: Connection,
    private readonly handlers: Handlers,
  ) {
    connection.on('error', (error: Error) => this.close(error))
    connection.on('esl::end', () => this.close())
    connection.on('esl::event::**', (event: ModeslEvent) => this.dispatch(event))
    connection.on('esl::connect', () => this.guardReading())
  }

  /**
   * Connects and authenticates.
   * @throws {SwitchDownError} when that does not succeed within five seconds
   */
  static async open(address: EventSocketAddress, handlers: Handlers): Promise<EventSocket> {
    return new Promise((resolve, reject) => {
      let opened = false
      const fail = (error?: unknown) => {
        clearTimeout(timer)
        if (opened) handlers.onClose(error)
        else reject(new SwitchDownError(`no Event Socket at ${address.host}:${address.port}`))
      }
      const timer = setTimeout(() => socket.close(), connectDeadlineMs)
      const connection = new modesl.Connection(address.host, address.port, address.password, () => {
        clearTimeout(timer)
        opened = true
        resolve(socket)
      })
      const socket = new EventSocket(connection, {
        onEvent: (event) => handlers.onEvent(event),
        onClose: fail,
      })
      connection.on('esl::event::auth::fail', () => socket.close())
      // modesl writes a command in several pieces: without this each waits for the last one's ACK.
      connection.socket?.setNoDelay(true)
      connection.socket?.on('close', () => socket.close())
    })
  }

  /** Subscribes to events. @throws as {@link command} */
  async subscribe(deadlineMs: number): Promise<void> {
    for (const filter of filters) this.connection.sendRecv(`filter ${filter}`, () => undefined)
    await this.ask(deadlineMs, 'event', (reply) => {
      this.connection.events('json', subscribed, () => reply('+OK'))
    })
  }

  /** Runs an API command and returns its answer. @throws {SwitchRefusedError} on `-ERR` */
  async api(command: string, deadlineMs: number): Promise<string> {
    const line = oneLine(command)
    return this.ask(deadlineMs, command, (reply) => {
      this.connection.api(line, (event) => reply(event.getBody()))
    })
  }

  /** Sends a command of the socket's own, such as `sendmsg` with its headers, and returns the reply's text. */
  async command(lines: readonly string[], deadlineMs: number, body?: string): Promise<string> {
    const head = lines.map(oneLine).join('\n')
    // The two line feeds that end every command belong to the body.
    const length = body === undefined ? 0 : Buffer.byteLength(body) + 3
    const text = body === undefined ? head : `${head}\ncontent-length: ${length}\n\n${oneLine(body)}\r`
    return this.ask(deadlineMs, lines[0] ?? '', (reply) => {
      this.connection.sendRecv(text, (event) => reply(event.getHeader('Reply-Text') ?? ''))
    })
  }

  close(error?: unknown): void {
    if (this.closed) return
    this.closed = true
    clearInterval(this.nudging)
    this.connection.socket?.destroy()
    for (const one of this.pending) {
      clearTimeout(one.timer)
      one.reject(new SwitchDownError())
    }
    this.pending.clear()
    this.handlers.onClose(error)
  }

  private async ask(
    deadlineMs: number,
    name: string,
    send: (reply: (text: string) => void) => void,
  ): Promise<string> {
    if (this.closed) throw new SwitchDownError()
    if (this.pending.size >= maxPending)
      throw new SwitchDownError('the switch does not keep up with commands')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(entry)
        publishOutcome(true)
        reject(new SwitchTimeoutError(`no answer to ${name.split(' ')[0] ?? ''} within ${deadlineMs} ms`))
      }, deadlineMs)
      const begun = performance.now()
      const publishOutcome = (failed: boolean) =>
        topics.switchCommand.publish({ failed, seconds: secondsSince(begun) })
      const entry: Pending = { reject, timer }
      this.pending.add(entry)
      const socket = this.connection.socket
      socket?.cork()
      send((text) => {
        clearTimeout(timer)
        if (!this.pending.delete(entry)) return
        publishOutcome(text.startsWith('-ERR'))
        if (text.startsWith('-ERR')) reject(new SwitchRefusedError(text.slice(4).trim()))
        else resolve(text)
      })
      socket?.uncork()
    })
  }

  /** The parser throws at headers whose percent-encoding is invalid, and nothing else would catch that. */
  private guardReading(): void {
    const { socket } = this.connection
    const readers = socket?.listeners('data') ?? []
    socket?.removeAllListeners('data').on('data', (chunk: Buffer) => {
      this.heardAt = Date.now()
      try {
        for (const read of readers) read.call(socket, chunk)
      } catch (error) {
        this.close(error)
      }
    })
  }

  private dispatch(event: ModeslEvent): void {
    const name = event.getHeader('Event-Name')
    if (this.closed || !name) return
    if (name !== 'HEARTBEAT') this.stayAwake()
    const read = new SwitchEvent(event)
    topics.switchEvent.publish({ seconds: Math.max(0, Date.now() - read.date.getTime()) / 1000 })
    this.handlers.onEvent(read)
  }

  /** Keeps the switch sending events at once while there are any. */
  private stayAwake(): void {
    this.lastEventAt = performance.now()
    this.nudging ??= setInterval(() => {
      if (performance.now() - this.lastEventAt > awakeMs) {
        clearInterval(this.nudging)
        this.nudging = undefined
      } else if (this.connection.socket?.writableLength === 0) this.connection.socket.write('\n')
    }, nudgeMs)
  }
}

/** A line break would end the command and start another one. */
function oneLine(text: string): string {
  if (/[\r\n]/.test(text)) throw new Error('a command of the switch must be one line')
  return text
}
