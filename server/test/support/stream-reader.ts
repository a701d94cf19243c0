import type { Subscriber } from '../../src/features/realtime/audience.js'
import type { EventHub, LocalStream } from '../../src/features/realtime/event-hub.js'

/** A stream within the test's own process, which keeps what it is sent. Its workspace is `acme`. */
export class StreamReader implements LocalStream {
  readonly workspace_id = 'acme'
  readonly frames: { id: string; event: string; data: Record<string, unknown> }[] = []
  head = ''
  isComplete = true
  ended: string | undefined

  constructor(
    private readonly hub: EventHub,
    readonly kind: Subscriber['kind'],
    readonly id: string,
    readonly stream_id: string,
    readonly call_id: string | null = null,
    readonly credential = 'ses_1',
    readonly device_id: string | null = null,
  ) {}

  open(lastEventId?: string): this {
    this.hub.attach(this, lastEventId, (greeting) => Object.assign(this, greeting))
    return this
  }

  send(frame: Buffer): void {
    const [, id = '', event = '', data = ''] =
      /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n$/.exec(frame.toString()) ?? []
    this.frames.push({ id, event, data: JSON.parse(data) as Record<string, unknown> })
  }

  end(reason: string): void {
    this.ended = reason
    this.hub.detach(this)
  }

  get names(): string[] {
    return this.frames.map(({ event }) => event)
  }
}
