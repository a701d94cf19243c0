/** An event as it is sent on streams. */
import { type Addressed, type Subscriber, subjectKey } from './audience.js'
import { eventFrame } from './frames.js'

/** The data of a personal event for one stream. */
export interface Personal {
  /** The subject of the stream (subjectKey). */
  readonly subject: string
  /** Null if the stream does not get the event. */
  readonly data: object | null
}

/** An event that is published to every server. */
export interface SentEvent extends Addressed {
  /** `evt_…` */
  readonly id: string
  readonly event: string
  /** ISO 8601. */
  readonly timestamp: string
  /** The data for all streams; empty in a personal event. */
  readonly data: object
  /** The data for each stream that was live when the event was published, by the stream's id. */
  readonly own?: Readonly<Record<string, Personal>>
}

/** Makes a personal event's data for a stream; undefined if that fails. */
export type GuardedMaker = (stream: Subscriber) => object | undefined

/** An event that has arrived at this server. */
export class LoggedEvent implements Addressed {
  readonly at = Date.now()
  readonly size: number
  private shared: Buffer | undefined

  /** @param make set on the server that published the event, if it is personal */
  constructor(
    private readonly sent: SentEvent,
    private readonly make: GuardedMaker | undefined,
  ) {
    const own = Object.values(sent.own ?? {})
    this.size = own.length > 0 ? own.length * JSON.stringify(own[0]).length : this.sharedFrame().length
  }

  get id(): string {
    return this.sent.id
  }

  get workspace_id(): string {
    return this.sent.workspace_id
  }

  get call_id(): string | null {
    return this.sent.call_id
  }

  get to(): Addressed['to'] {
    return this.sent.to
  }

  get personal(): boolean {
    return this.sent.personal
  }

  /**
   * The bytes for a stream; undefined if it does not get the event.
   * @param isLive whether a stream is open: data that was made for a closed stream goes to the next stream of its subject
   */
  frameFor(stream: Subscriber, isLive: (streamId: string) => boolean): Buffer | undefined {
    if (!this.personal) return this.sharedFrame()
    const own = this.sent.own?.[stream.stream_id]
    const data = own ? own.data : (this.make?.(stream) ?? this.inheritedBy(stream, isLive))
    return data ? this.frame(data) : undefined
  }

  private inheritedBy(stream: Subscriber, isLive: (streamId: string) => boolean): object | null | undefined {
    const subject = subjectKey(stream)
    const own = Object.entries(this.sent.own ?? {})
    return own.find(([id, one]) => one.subject === subject && !isLive(id))?.[1].data
  }

  private sharedFrame(): Buffer {
    this.shared ??= this.frame(this.sent.data)
    return this.shared
  }

  private frame(data: object): Buffer {
    const { id, event, timestamp } = this.sent
    return eventFrame({ id, event, data: { event, ...data, timestamp } })
  }
}
