/** The lasting link to one switch: connects, connects again after a loss, and dispatches what comes. */
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { SwitchDownError, SwitchRefusedError, SwitchTimeoutError } from './errors.js'
import { EventSocket, type EventSocketAddress } from './event-socket.js'
import type { SwitchEvent } from './switch-event.js'

const firstRetryMs = 100
const lastRetryMs = 5_000
const apiDeadlineMs = 5_000

/** No event for this long means that the link is dead: the switch sends a heartbeat every 20 s. */
const silenceMs = 45_000

interface LinkEvents {
  /** Connected and subscribed. `coreId` changes when the switch was restarted. */
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
  private retryTimer: NodeJS.Timeout | undefined
  private silenceTimer: NodeJS.Timeout | undefined
  private retryMs = firstRetryMs
  private stopped = true
  private readonly jobs = new Map<string, Waiting>()

  constructor(
    private readonly address: EventSocketAddress,
    private readonly log: Logger,
  ) {
    super()
  }

  get isUp(): boolean {
    return this.socket !== undefined
  }

  start(): void {
    this.stopped = false
    void this.connect()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.retryTimer)
    this.socket?.close()
  }

  /** Runs a quick API command. @throws {SwitchDownError | SwitchRefusedError | SwitchTimeoutError} */
  async api(command: string, deadlineMs = apiDeadlineMs): Promise<string> {
    return this.required().api(command, deadlineMs)
  }

  /** Sends a command of the socket itself. @throws as {@link api} */
  async command(lines: readonly string[]): Promise<string> {
    return this.required().command(lines, apiDeadlineMs)
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

  private required(): EventSocket {
    if (!this.socket) throw new SwitchDownError()
    return this.socket
  }

  private async connect(): Promise<void> {
    try {
      const socket = await EventSocket.open(this.address, {
        onEvent: (event) => this.receive(event),
        onClose: () => this.lost(),
      })
      if (this.stopped) {
        socket.close()
        return
      }
      this.socket = socket
      this.retryMs = firstRetryMs
      this.watchSilence()
      const coreId = (await socket.api('global_getvar core_uuid', apiDeadlineMs)).trim()
      this.log.info({ switch: `${this.address.host}:${this.address.port}`, coreId }, 'switch connected')
      this.emit('up', coreId)
    } catch (error) {
      this.log.debug({ err: error }, 'switch not reached')
      if (this.socket) this.socket.close()
      else this.retry()
    }
  }

  private lost(): void {
    if (!this.socket) return
    this.socket = undefined
    clearTimeout(this.silenceTimer)
    for (const [id, job] of this.jobs) {
      this.settleJob(id)
      job.reject(new SwitchDownError())
    }
    if (!this.stopped) this.log.warn('switch lost')
    this.emit('down')
    this.retry()
  }

  /** Backs off with jitter, so that many servers do not come back in one instant. */
  private retry(): void {
    if (this.stopped) return
    this.retryTimer = setTimeout(() => void this.connect(), this.retryMs * (0.5 + Math.random()))
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
