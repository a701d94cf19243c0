/**
 * The WebSocket of a stream to a customer's server. It never blocks on that server: audio that is not read in time is
 * dropped, and a server that stops reading, or answers no ping, is disconnected.
 */
import { EventEmitter } from 'node:events'
import { RequestRefusedError } from '../../../infrastructure/http-client/errors.js'
import type {
  GuardedSockets,
  RawData,
  WebSocket,
} from '../../../infrastructure/http-client/guarded-sockets.js'
import { SampleReader, bytesOf } from './pcm.js'

/** Why a stream is over. */
export type StreamEnd =
  | 'call_ended'
  /** The customer's server closed it. */
  | 'closed'
  /** The URL leads to a forbidden address. */
  | 'refused'
  /** No WebSocket connection in time. */
  | 'unreachable'
  /** The server stopped reading for too long. */
  | 'stalled'
  /** The connection broke, or the server answered no ping. */
  | 'lost'
  /** The switch delivered no audio. */
  | 'no_audio'
  /** This server stops; the next one continues the stream. */
  | 'restart'

/** Connecting to the customer's server failed. */
export class StreamRefusedError extends Error {
  constructor(
    readonly end: 'refused' | 'unreachable',
    message: string,
  ) {
    super(message)
  }
}

interface CustomerSocketEvents {
  /** Audio from the server. */
  audio: [samples: Int16Array]
  /** Discard the audio that has not been played yet. */
  killAudio: []
  closed: [end: StreamEnd]
}

export interface CustomerSocketOptions {
  sockets: Pick<GuardedSockets, 'connect'>
  url: string
  headers: Readonly<Record<string, string>>
  /** Aborts a connection attempt. */
  signal: AbortSignal
}

/** For DNS, TLS and the handshake, in milliseconds. */
const connectMs = 10_000

/** Longest message accepted: 16 s at 16,000 Hz. */
const maxMessageBytes = 524_288

/** Longest text that is parsed; all valid ones are shorter. */
const maxTextBytes = 4_096

/** Send queue limit: 2 s at 16,000 Hz. */
const maxQueuedBytes = 65_536

/** A server that has not read for this long is disconnected. */
const stalledMs = 10_000

const pingEveryMs = 10_000

/** Time for the server's close frame after ours. */
const closeMs = 2_000

/** Code that `ws` reports for a connection that ended without a close frame. */
const brokenOff = 1006

/** RFC 6455, section 7.4.1; 1012 is in its IANA registry: service restart. */
const closeCodes: Partial<Record<StreamEnd, number>> = { call_ended: 1000, no_audio: 1011, restart: 1012 }

export class CustomerSocket extends EventEmitter<CustomerSocketEvents> {
  /** Frames of 20 ms. */
  sent = 0
  dropped = 0
  private readonly reader = new SampleReader()
  private readonly pinging: NodeJS.Timeout
  private end: StreamEnd | undefined
  private stalledSince: number | undefined
  private heardSincePing = true

  private constructor(private readonly socket: WebSocket) {
    super()
    socket.on('message', (data, isBinary) => this.receive(data, isBinary))
    socket.on('pong', () => (this.heardSincePing = true))
    socket.on('error', () => this.over('lost'))
    socket.on('close', (code) => this.over(code === brokenOff ? 'lost' : 'closed'))
    this.pinging = setInterval(() => this.ping(), pingEveryMs)
  }

  /**
   * Connects; no audio is received before {@link begin}.
   * @throws {StreamRefusedError}
   */
  static async open({ sockets, url, headers, signal }: CustomerSocketOptions): Promise<CustomerSocket> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        const end = error instanceof RequestRefusedError ? 'refused' : 'unreachable'
        settle()
        reject(new StreamRefusedError(end, error instanceof Error ? error.message : String(error)))
      }
      const giveUp = (why: string) => {
        fail(new Error(why))
        socket?.terminate()
      }
      const timer = setTimeout(() => giveUp(`no WebSocket within ${connectMs / 1000} s`), connectMs)
      const aborted = () => giveUp('the call has ended')
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', aborted)
      }
      let socket: WebSocket | undefined
      try {
        socket = sockets.connect({ url, headers, maxPayload: maxMessageBytes })
      } catch (error) {
        fail(error)
        return
      }
      const made = socket
      made.on('error', fail)
      made.on('open', () => {
        settle()
        made.pause()
        resolve(new CustomerSocket(made))
      })
      signal.addEventListener('abort', aborted)
      if (signal.aborted) aborted()
    })
  }

  get isOver(): boolean {
    return this.end !== undefined
  }

  /** Starts to receive audio. */
  begin(): void {
    this.socket.resume()
  }

  /** Sends 20 ms, or drops them if the server is too far behind. */
  send(frame: Int16Array): void {
    if (this.end) return
    if (this.socket.bufferedAmount > maxQueuedBytes) {
      this.dropped++
      const now = performance.now()
      this.stalledSince ??= now
      if (now - this.stalledSince > stalledMs) this.close('stalled')
      return
    }
    this.stalledSince = undefined
    this.sent++
    this.socket.send(bytesOf(frame))
  }

  /** Closes it; does nothing if it is closed. */
  close(end: StreamEnd): void {
    if (this.end) return
    const { socket } = this
    this.over(end)
    const code = closeCodes[end]
    if (code === undefined) {
      socket.terminate()
      return
    }
    socket.resume()
    socket.close(code)
    const timer = setTimeout(() => socket.terminate(), closeMs)
    socket.once('close', () => clearTimeout(timer))
  }

  private over(end: StreamEnd): void {
    if (this.end) return
    this.end = end
    clearInterval(this.pinging)
    this.emit('closed', end)
  }

  private ping(): void {
    if (!this.heardSincePing) {
      this.close('lost')
      return
    }
    this.heardSincePing = false
    this.socket.ping()
  }

  private receive(data: RawData, isBinary: boolean): void {
    this.heardSincePing = true
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)
    if (this.end) return
    if (isBinary) this.emit('audio', this.reader.read(bytes))
    else if (isKillAudio(bytes)) this.emit('killAudio')
  }
}

/** Any other text is ignored. */
function isKillAudio(bytes: Buffer): boolean {
  if (bytes.length > maxTextBytes) return false
  try {
    const message = JSON.parse(bytes.toString('utf8')) as unknown
    return (
      typeof message === 'object' && message !== null && 'type' in message && message.type === 'killAudio'
    )
  } catch {
    return false
  }
}
