/** The connection with a server of the Realtime protocol: events as JSON, both ways. */
import { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'
import type { SpeechModelError } from '../speech-model.js'
import { Fields } from './fields.js'
import { type RealtimeAddress, sessionHeaders, sessionUrl } from './realtime-address.js'
import type { RealtimeFailures } from './realtime-failures.js'
import type { RealtimeLimits } from './realtime-limits.js'

/** Time for the server to close its side after we have closed ours. */
const lingerMs = 2_000

export interface RealtimeSocketEvents {
  event: [type: string, fields: Fields]
  /** The connection has failed, or the other side has closed it. */
  failed: [error: SpeechModelError]
}

export class RealtimeSocket extends EventEmitter<RealtimeSocketEvents> {
  private socket: WebSocket | undefined
  private pings: NodeJS.Timeout | undefined
  private isAlive = true
  private isOver = false

  constructor(
    private readonly address: RealtimeAddress,
    private readonly failures: RealtimeFailures,
    private readonly limits: RealtimeLimits,
  ) {
    super()
  }

  /**
   * Emits `failed` on a failure, also if the host does not resolve. The handshake has no deadline of its own: the
   * caller has one, such as the `timeout` of the action `connect_voice_agent`.
   */
  connect(modelId: string): void {
    try {
      this.socket = new WebSocket(sessionUrl(this.address, modelId), {
        headers: sessionHeaders(this.address),
        maxPayload: this.limits.maxEventBytes,
        perMessageDeflate: false,
        // A redirect would take the key to somewhere else.
        followRedirects: false,
      })
    } catch (error) {
      this.fail(this.failures.of('refused', `the provider has a bad address: ${messageOf(error)}`, error))
      return
    }
    this.follow(this.socket)
  }

  private follow(socket: WebSocket): void {
    socket.on('open', () => {
      this.pings = setInterval(() => this.ping(), this.limits.pingMs)
    })
    socket.on('unexpected-response', (_, { statusCode = 0 }) => {
      this.fail(this.failures.ofHandshake(statusCode))
    })
    socket.on('message', (data) => {
      this.isAlive = true
      // One Buffer: `binaryType` is left as it is.
      this.receive((data as Buffer).toString())
    })
    socket.on('pong', () => {
      this.isAlive = true
    })
    socket.on('close', (code, reason) => this.fail(this.failures.ofClose(code, reason.toString())))
    socket.on('error', (error) => {
      this.fail(this.failures.ofSocket(error))
    })
  }

  private ping(): void {
    if (!this.isAlive) {
      this.fail(this.failures.of('unreachable', 'the provider gives no sign of life'))
      return
    }
    this.isAlive = false
    this.socket?.ping()
  }

  private receive(text: string): void {
    if (this.isOver) return
    let fields: Fields
    try {
      fields = new Fields(JSON.parse(text))
    } catch (error) {
      this.fail(this.failures.of('protocol', 'the provider sends what is no JSON', error))
      return
    }
    this.emit('event', fields.text('type'), fields)
  }

  /** @param event JSON */
  send(event: string): void {
    const { socket } = this
    if (this.isOver || socket?.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount + event.length > this.limits.maxUnsentBytes) {
      this.fail(this.failures.of('slow', 'the provider takes in less than it is sent'))
    } else {
      socket.send(event)
    }
  }

  close(): void {
    if (this.isOver) return
    this.isOver = true
    clearInterval(this.pings)
    const { socket } = this
    if (!socket) return
    const linger = setTimeout(() => socket.terminate(), lingerMs)
    socket.once('close', () => clearTimeout(linger))
    socket.close(1000)
  }

  private fail(error: SpeechModelError): void {
    if (this.isOver) return
    this.isOver = true
    clearInterval(this.pings)
    this.socket?.terminate()
    this.emit('failed', error)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
