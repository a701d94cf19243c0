/** Reads a stream of server-sent events, as an app does. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { type ApiClient, eventually } from './api-client.js'

/** One event. */
export interface ReadEvent {
  id: string | undefined
  event: string
  data: any
}

interface Options {
  callId?: string
  deviceId?: string
  lastEventId?: string
  /** Sends the token in the query, as browsers must. */
  inQuery?: boolean
}

const deadlineMs = 10_000

export class EventReader {
  readonly events: ReadEvent[] = []
  /** What a reader that is cut sends as Last-Event-ID. */
  lastEventId = ''
  retryMs: number | undefined
  heartbeats = 0
  /** Whether the server has ended the stream. */
  isClosed = false
  private text = ''

  private constructor(
    private readonly sent: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => this.read(chunk))
    response.on('error', () => undefined)
    response.on('close', () => (this.isClosed = true))
  }

  /** Opens a stream. @throws when it is refused, with status and body */
  static async open(
    api: ApiClient,
    { callId, deviceId, lastEventId, inQuery }: Options = {},
  ): Promise<EventReader> {
    const query = new URLSearchParams({
      ...(callId && { call_id: callId }),
      ...(deviceId && { device_id: deviceId }),
      ...(inQuery && { token: api.authorization?.slice('Bearer '.length) ?? '' }),
    })
    const headers = {
      host: `${api.host}:${api.port}`,
      ...(!inQuery && api.authorization && { authorization: api.authorization }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    }
    const path = `/api/v1/stream?${query.toString()}`
    const sent = request({ host: '127.0.0.1', port: api.port, path, headers, agent: false })
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve)
      sent.once('error', reject)
      sent.setTimeout(deadlineMs, () => sent.destroy(new Error('no answer')))
      sent.end()
    })
    sent.setTimeout(0)
    sent.on('error', () => undefined)
    if (response.statusCode === 200) return new EventReader(sent, response)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    throw new Error(`no stream: ${response.statusCode} ${Buffer.concat(chunks).toString()}`)
  }

  /** Waits until something is among the events. */
  async next(event: string, isIt: (data: any) => boolean = () => true): Promise<ReadEvent> {
    const found = await eventually(
      async () => this.events.find((one) => one.event === event && isIt(one.data)),
      (one) => one !== undefined,
      { what: event, withinMs: 20_000, everyMs: 5 },
    )
    return found!
  }

  /** The names of the events, without what the stream tells of itself. */
  get names(): string[] {
    return this.events.map(({ event }) => event).filter((event) => !event.startsWith('stream.'))
  }

  /** Takes nothing more from the connection. */
  stall(): void {
    this.response.pause()
    this.response.socket.pause()
  }

  close(): void {
    this.sent.destroy()
  }

  private read(chunk: string): void {
    const blocks = (this.text + chunk).split('\n\n')
    this.text = blocks.pop() ?? ''
    for (const block of blocks) this.take(block)
  }

  private take(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
      fields.set(name, value)
    }
    const id = fields.get('id')
    if (id !== undefined) this.lastEventId = id
    if (fields.has('retry')) this.retryMs = Number(fields.get('retry'))
    if (fields.get('event') === 'stream.heartbeat') this.heartbeats += 1
    const data = fields.get('data')
    if (data !== undefined) this.events.push({ id, event: fields.get('event') ?? '', data: JSON.parse(data) })
  }
}
