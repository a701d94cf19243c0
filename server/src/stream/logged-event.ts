/** An event as it goes out on streams. */
import { type Addressed, type Subscriber, subjectKey } from './audience.js'
import { eventFrame } from './frames.js'

/** What an event says to one stream alone. */
export interface Personal {
  /** Whose stream it is. */
  readonly subject: string
  /** Null for a stream that is not told. */
  readonly data: object | null
}

/** An event on its way to every server. */
export interface SentEvent extends Addressed {
  /** `evt_…` */
  readonly id: string
  readonly event: string
  /** ISO 8601. */
  readonly timestamp: string
  /** What it says to everybody; empty in a personal event. */
  readonly data: object
  /** What it says to each stream that was live when it was published, by the stream's id. */
  readonly own?: Readonly<Record<string, Personal>>
}

/** Makes a personal event's data for a stream; undefined where that fails. */
export type GuardedMaker = (stream: Subscriber) => object | undefined

/** An event that has arrived at this server. */
export class LoggedEvent implements Addressed {
  readonly at = Date.now()
  readonly size: number
  private shared: Buffer | undefined

  /** @param make on the server that published it, where the event is personal */
  constructor(
    private readonly sent: SentEvent,
    private readonly make: GuardedMaker | undefined,
  ) {
    const own = Object.values(sent.own ?? {})
    this.size = own.length > 0 ? own.length * JSON.stringify(own[0]).length : this.everybodys().length
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
   * The bytes for a stream.
   * @param isLive tells of a stream by its id: what was made for one that is gone is good for its subject's next
   */
  frameFor(stream: Subscriber, isLive: (streamId: string) => boolean): Buffer | undefined {
    if (!this.personal) return this.everybodys()
    const own = this.sent.own?.[stream.stream_id]
    const data = own ? own.data : (this.make?.(stream) ?? this.inheritedBy(stream, isLive))
    return data ? this.frame(data) : undefined
  }

  private inheritedBy(stream: Subscriber, isLive: (streamId: string) => boolean): object | null | undefined {
    const subject = subjectKey(stream)
    const own = Object.entries(this.sent.own ?? {})
    return own.find(([id, one]) => one.subject === subject && !isLive(id))?.[1].data
  }

  private everybodys(): Buffer {
    this.shared ??= this.frame(this.sent.data)
    return this.shared
  }

  private frame(data: object): Buffer {
    const { id, event, timestamp } = this.sent
    return eventFrame({ id, event, data: { event, ...data, timestamp } })
  }
}
