/**
 * One connection to the Event Socket: commands with deadlines, and events as JSON. modesl connects, authenticates and takes
 * messages apart. Its events and replies go past its emitters: its event objects cost more than all else about an event.
 */
import modesl, { type Connection, type ModeslHeaders } from 'modesl'
import { SwitchDownError, SwitchRefusedError, SwitchTimeoutError } from './errors.js'
import { secondsSince, topics } from '../../infrastructure/observability/telemetry.js'
import { Nudges } from './nudges.js'
import { type EventHeaders, SwitchEvent } from './switch-event.js'

export interface EventSocketAddress {
  readonly host: string
  readonly port: number
  readonly password: string
}

interface Handlers {
  onEvent(event: SwitchEvent): void
  /** Called once, however the connection ends. @param error why, where it did not just end */
  onClose(error?: unknown): void
  /** Whether an event is awaited that should come at once. */
  isAwaited(): boolean
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
const filters = [
  'Event-Name /./',
  ...unheeded.map((application) => `Application -${application}`),
  // The codecs that a caller's channel begins with; those that it changes to come later.
  'Channel-State -CS_NEW',
]

interface Pending {
  reject(error: Error): void
  timer: NodeJS.Timeout
}

/** The text of a reply to a command. */
type Reply = (text: string) => void

export class EventSocket {
  /** When the switch last sent something, in milliseconds since 1970. */
  heardAt = Date.now()
  private readonly pending = new Set<Pending>()
  /** Of commands in the order in which they were sent, which is that of their replies. */
  private readonly replies: Reply[] = []
  private readonly nudges: Nudges
  private outgoing = ''
  private closed = false

  private constructor(
    private readonly connection: Connection,
    private readonly handlers: Handlers,
  ) {
    this.nudges = new Nudges(
      () => handlers.isAwaited(),
      () => {
        if (connection.socket?.writableLength === 0) connection.socket.write('\n')
      },
    )
    connection.on('error', (error: Error) => this.close(error))
    connection.on('esl::end', () => this.close())
    connection.on('esl::connect', () => {
      this.guardReading()
      this.takeMessages()
    })
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
        ...handlers,
        onClose: fail,
      })
      connection.on('esl::event::auth::fail', () => socket.close())
      connection.socket?.setNoDelay(true)
      connection.socket?.on('close', () => socket.close())
    })
  }

  /** Subscribes to events. @throws as {@link command} */
  async subscribe(deadlineMs: number): Promise<void> {
    const lines = [...filters.map((filter) => `filter ${filter}`), `event json ${subscribed.join(' ')}`]
    await Promise.all(lines.map(async (line) => this.ask(line, deadlineMs)))
  }

  /** Runs an API command and returns its answer. @throws {SwitchRefusedError} on `-ERR` */
  async api(command: string, deadlineMs: number): Promise<string> {
    return this.ask(`api ${oneLine(command)}`, deadlineMs, command)
  }

  /** Sends a command of the socket's own, such as `sendmsg` with its headers, and returns the reply's text. */
  async command(lines: readonly string[], deadlineMs: number, body?: string): Promise<string> {
    const head = lines.map(oneLine).join('\n')
    // The two line feeds that end every command belong to the body.
    const length = body === undefined ? 0 : Buffer.byteLength(body) + 3
    const text = body === undefined ? head : `${head}\ncontent-length: ${length}\n\n${oneLine(body)}\r`
    return this.ask(text, deadlineMs)
  }

  close(error?: unknown): void {
    if (this.closed) return
    this.closed = true
    this.nudges.stop()
    this.connection.socket?.destroy()
    for (const one of this.pending) {
      clearTimeout(one.timer)
      one.reject(new SwitchDownError())
    }
    this.pending.clear()
    this.handlers.onClose(error)
  }

  /** @param named its name in an error */
  private async ask(command: string, deadlineMs: number, named = command): Promise<string> {
    if (this.closed) throw new SwitchDownError()
    if (this.pending.size >= maxPending)
      throw new SwitchDownError('the switch does not keep up with commands')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(entry)
        publishOutcome(true)
        const name = /^[^ \n]*/.exec(named)?.[0] ?? ''
        reject(new SwitchTimeoutError(`no answer to ${name} within ${deadlineMs} ms`))
      }, deadlineMs)
      const begun = performance.now()
      const publishOutcome = (failed: boolean) =>
        topics.switchCommand.publish({ failed, seconds: secondsSince(begun) })
      const entry: Pending = { reject, timer }
      this.pending.add(entry)
      this.replies.push((text) => {
        clearTimeout(timer)
        if (!this.pending.delete(entry)) return
        publishOutcome(text.startsWith('-ERR'))
        if (text.startsWith('-ERR')) reject(new SwitchRefusedError(text.slice(4).trim()))
        else resolve(text)
      })
      this.send(command)
    })
  }

  /** Commands of one moment are one write: each costs as much as the work on it. */
  private send(command: string): void {
    if (this.outgoing === '')
      process.nextTick(() => {
        const { outgoing } = this
        this.outgoing = ''
        if (this.closed) return
        this.nudges.wrote()
        this.connection.socket?.write(outgoing)
      })
    this.outgoing += `${command}\n\n`
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

  /** Takes events and replies as soon as they are whole; modesl gets the rest, and the replies to its own commands. */
  private takeMessages(): void {
    const { parser, cmdCallbackQueue: own } = this.connection
    const others = parser._parseEvent.bind(parser)
    parser._parseEvent = (headers: ModeslHeaders, body?: string) => {
      const type = headers['Content-Type']
      if (type === 'text/event-json') this.dispatch(JSON.parse(body ?? '') as EventHeaders)
      else if (type === 'api/response') this.replies.shift()?.(body ?? '')
      else if (type === 'command/reply' && own.length === 0)
        this.replies.shift()?.(headers['Reply-Text'] ?? '')
      else others(headers, body)
    }
  }

  private dispatch(headers: EventHeaders): void {
    const event = new SwitchEvent(headers)
    if (this.closed || !event.name) return
    topics.switchEvent.publish({ seconds: Math.max(0, Date.now() - event.date.getTime()) / 1000 })
    if (event.name !== 'HEARTBEAT') this.nudges.stir()
    this.handlers.onEvent(event)
  }
}

/** A line break would end the command and start another one. */
function oneLine(text: string): string {
  if (/[\r\n]/.test(text)) throw new Error('a command of the switch must be one line')
  return text
}
