/** One stream as the body of its answer. Frames are sent at the reader's pace, and a slow reader is cut. */
import { Readable } from 'node:stream'
import type { Subscriber } from './audience.js'
import type { LocalStream } from './event-hub.js'
import { eventFrame } from './frames.js'

interface Options {
  subscriber: Subscriber
  /** When its token ends, in milliseconds since 1970. */
  expiresAt: number
  /** A reader that is this far behind is cut. */
  maxBacklogBytes: number
}

/** Emits `ending` when it takes no more frames; `close` follows when its reader has the rest, or is gone. */
export class StreamBody extends Readable implements LocalStream {
  readonly stream_id: string
  readonly workspace_id: string
  readonly kind: Subscriber['kind']
  readonly id: string
  readonly call_id: string | null
  readonly credential: string
  readonly device_id: string | null
  readonly expiresAt: number
  lastSentAt = Date.now()
  private isEnding = false
  private readonly maxBacklogBytes: number

  constructor({ subscriber, expiresAt, maxBacklogBytes }: Options) {
    super({ highWaterMark: 0 })
    this.stream_id = subscriber.stream_id
    this.workspace_id = subscriber.workspace_id
    this.kind = subscriber.kind
    this.id = subscriber.id
    this.call_id = subscriber.call_id
    this.credential = subscriber.credential
    this.device_id = subscriber.device_id
    this.expiresAt = expiresAt
    this.maxBacklogBytes = maxBacklogBytes
  }

  override _read(): void {
    // Frames are pushed by send().
  }

  send(frame: Buffer): void {
    if (this.destroyed || this.isEnding) return
    this.lastSentAt = Date.now()
    this.push(frame)
    if (this.readableLength > this.maxBacklogBytes) this.destroy()
  }

  end(reason: string): void {
    if (this.destroyed || this.isEnding) return
    const event = 'stream.closed'
    this.send(eventFrame({ event, data: { event, reason, timestamp: new Date().toISOString() } }))
    this.isEnding = true
    this.push(null)
    this.emit('ending')
  }
}
