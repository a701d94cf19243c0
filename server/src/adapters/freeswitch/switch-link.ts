/** The lasting link to one switch: connects, connects again after a loss, and dispatches what comes. */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { SwitchDownError, SwitchRefusedError, SwitchTimeoutError } from './errors.js'
import { EventSocket, type EventSocketAddress } from './event-socket.js'
import type { SwitchEvent } from './switch-event.js'
import type { SwitchLease } from './switch-lease.js'
import { versionIn } from './switch-status.js'

const firstRetryMs = 100
const lastRetryMs = 5_000
const apiDeadlineMs = 5_000

/** An open link works if the switch has sent something within this time: its heartbeat comes every 20 s. */
const knownMs = 25_000

/** No event for this long means that the link is dead: the switch sends a heartbeat every 20 s. */
const silenceMs = 45_000

interface LinkEvents {
  /** Connected and subscribed, and this server drives the switch. `coreId` changes when the switch was restarted. */
  up: [coreId: string]
  down: []
  event: [event: SwitchEvent]
}

interface Waiting {
  resolve(event: SwitchEvent): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

export class SwitchLink extends EventEmitter<LinkEvents> {
  private socket: EventSocket | undefined
  /** Connected, while another server drives the switch. */
  private standby: EventSocket | undefined
  private retryTimer: NodeJS.Timeout | undefined
  private silenceTimer: NodeJS.Timeout | undefined
  private retryMs = firstRetryMs
  private stopped = true
  private connecting: Promise<void> | undefined
  /** When a link that was lost was last known to carry. */
  private lostAt: Date | null = null
  private readonly jobs = new Map<string, Waiting>()
  /** What those who wait for an event have to end. */
  private readonly awaited = new Set<() => void>()

  constructor(
    private readonly address: EventSocketAddress,
    private readonly log: Logger,
    /** Where several servers could drive the switch. */
    private readonly lease: SwitchLease | null = null,
  ) {
    super()
  }

  /** Whether its lines are simulated, so that nothing is sent anywhere; known since it was first connected. */
  isSimulated = false

  get isUp(): boolean {
    return this.socket !== undefined
  }

  /** Whether the switch is up, and another server drives it. */
  get isStandby(): boolean {
    return this.standby !== undefined
  }

  /** Whether it is wanted, and the switch cannot be reached at all. */
  get isLost(): boolean {
    return !this.stopped && !this.socket && !this.standby
  }

  /** When the switch was last known to live, by this machine's clock; null before it was reached for the first time. */
  get heardAt(): Date | null {
    return this.socket ? known(this.socket) : this.lostAt
  }

  start(): void {
    if (!this.stopped) return
    this.stopped = false
    this.begin()
  }

  /** One attempt at a time: one that was under way at a stop continues, or retries by itself. */
  private begin(): void {
    this.connecting ??= this.connect().finally(() => {
      this.connecting = undefined
    })
  }

  /** Releases the switch: another server may drive it at once. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.retryTimer)
    this.standby?.close()
    const { socket } = this
    // Without its word the others wait until it has been silent for long enough.
    if (socket) await this.lease?.release(apiOf(socket)).catch(() => undefined)
    socket?.close()
  }

  /** Runs a quick API command. @throws {SwitchDownError | SwitchRefusedError | SwitchTimeoutError} */
  async api(command: string, deadlineMs = apiDeadlineMs): Promise<string> {
    return this.required().api(command, deadlineMs)
  }

  /** Sends a command of the socket itself. @param body one line that the switch passes on @throws as {@link api} */
  async command(lines: readonly string[], body?: string): Promise<string> {
    return this.required().command(lines, apiDeadlineMs, body)
  }

  /**
   * Runs a slow API command in the switch's background and returns its answer.
   * @throws as {@link api}
   */
  async background(command: string, deadlineMs: number): Promise<string> {
    const id = randomUUID()
    const result = new Promise<SwitchEvent>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.jobs.delete(id)
        reject(new SwitchTimeoutError(`no result of ${command.split(' ')[0] ?? ''} within ${deadlineMs} ms`))
      }, deadlineMs)
      this.jobs.set(id, { resolve, reject, timer })
    })
    result.catch(() => undefined)
    try {
      await this.command([`bgapi ${command}`, `Job-UUID: ${id}`])
    } catch (error) {
      this.settleJob(id)
      throw error
    }
    const { body } = await result
    if (body.startsWith('-ERR')) throw new SwitchRefusedError(body.slice(4).trim())
    return body.trim()
  }

  /** Has the switch send its events at once, while one is awaited. @returns ends that */
  awaits(): () => void {
    const over = () => void this.awaited.delete(over)
    this.awaited.add(over)
    return over
  }

  private required(): EventSocket {
    if (!this.socket) throw new SwitchDownError()
    return this.socket
  }

  private async connect(): Promise<void> {
    let opened: EventSocket | undefined
    try {
      const socket = await EventSocket.open(this.address, {
        onEvent: (event) => this.receive(event),
        onClose: (error) => this.lost(error),
        isAwaited: () => this.jobs.size > 0 || this.awaited.size > 0,
      })
      opened = socket
      if (this.stopped) {
        socket.close()
        return
      }
      this.retryMs = firstRetryMs
      this.isSimulated = versionIn(await socket.api('version', apiDeadlineMs)).kind === 'sandbox'
      if (this.lease) await this.standBy(socket, this.lease)
      await socket.subscribe(apiDeadlineMs)
      if (this.stopped) {
        socket.close()
        return
      }
      this.socket = socket
      this.watchSilence()
      const coreId = (await socket.api('global_getvar core_uuid', apiDeadlineMs)).trim()
      this.log.info(
        { event: 'switch.connected', switch: `${this.address.host}:${this.address.port}`, coreId },
        'switch connected',
      )
      this.emit('up', coreId)
    } catch (error) {
      this.log.debug({ event: 'switch.unreachable', err: error }, 'switch not reached')
      opened?.close()
      this.retry()
    }
  }

  /** Waits until this server drives the switch. @throws when the connection is lost meanwhile */
  private async standBy(socket: EventSocket, lease: SwitchLease): Promise<void> {
    this.standby = socket
    try {
      await lease.acquire(apiOf(socket))
    } finally {
      this.standby = undefined
    }
    lease.hold(apiOf(socket), () => {
      this.log.warn({ event: 'switch.standby' }, 'another server drives the switch')
      socket.close()
    })
  }

  private lost(error?: unknown): void {
    this.lease?.end()
    if (!this.socket) return
    // The end of the link is a sign of life too, unless the link was silent: a machine that vanished sends nothing.
    this.lostAt = known(this.socket)
    this.socket = undefined
    this.awaited.clear()
    clearTimeout(this.silenceTimer)
    for (const [id, job] of this.jobs) {
      this.settleJob(id)
      job.reject(new SwitchDownError())
    }
    if (!this.stopped)
      this.log.warn({ event: 'switch.lost', ...(error !== undefined && { err: error }) }, 'switch lost')
    this.emit('down')
    this.retry()
  }

  /** Backs off with jitter, so that many servers do not come back in one instant. */
  private retry(): void {
    if (this.stopped) return
    clearTimeout(this.retryTimer)
    this.retryTimer = setTimeout(() => this.begin(), this.retryMs * (0.5 + Math.random()))
    this.retryMs = Math.min(this.retryMs * 2, lastRetryMs)
  }

  private watchSilence(): void {
    clearTimeout(this.silenceTimer)
    this.silenceTimer = setTimeout(() => this.socket?.close(), silenceMs)
  }

  private receive(event: SwitchEvent): void {
    this.silenceTimer?.refresh()
    if (event.name === 'BACKGROUND_JOB') {
      const id = event.get('Job-UUID') ?? ''
      const job = this.jobs.get(id)
      this.settleJob(id)
      job?.resolve(event)
      return
    }
    this.emit('event', event)
  }

  private settleJob(id: string): void {
    clearTimeout(this.jobs.get(id)?.timer)
    this.jobs.delete(id)
  }
}

function known({ heardAt }: EventSocket): Date {
  return Date.now() - heardAt < knownMs ? new Date() : new Date(heardAt)
}

function apiOf(socket: EventSocket): (command: string) => Promise<string> {
  return async (command) => socket.api(command, apiDeadlineMs)
}
