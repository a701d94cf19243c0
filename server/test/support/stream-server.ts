/** A customer's WebSocket server: it keeps what it hears in each stream, and says what a test tells it to. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { eventually } from './api-client.js'
import { tone, toneLevel } from './tone.js'

/** One stream, as its server sees it. */
export class HeardStream {
  /** Lengths of the messages that came, in bytes. */
  readonly lengths: number[] = []
  /** Code with which it was closed. */
  closed: number | null = null
  private readonly chunks: Buffer[] = []

  constructor(
    readonly socket: WebSocket,
    /** Query parameters. */
    readonly query: Record<string, string>,
    readonly headers: IncomingHttpHeaders,
    readonly path: string,
  ) {
    socket.on('message', (data: RawData) => {
      const bytes = data as Buffer
      this.lengths.push(bytes.length)
      this.chunks.push(bytes)
    })
    socket.on('close', (code) => (this.closed = code))
    socket.on('error', () => undefined)
  }

  /** Bytes that were heard. */
  get bytes(): number {
    return this.lengths.reduce((sum, length) => sum + length, 0)
  }

  /** What was heard from a byte on. */
  pcm(from = 0): Int16Array {
    const all = Buffer.concat(this.chunks).subarray(from)
    const copy = new Uint8Array(all.subarray(0, all.length - (all.length % 2)))
    return new Int16Array(copy.buffer)
  }

  /** How much of the last half second, and no sound before `from`, is a tone. */
  level(hz: number, rate: number, from = 0): number {
    const pcm = this.pcm(from)
    return pcm.length < rate / 2 ? 0 : toneLevel(pcm.subarray(-rate / 2), hz, rate)
  }

  /** Waits until so much of what comes from now on is each of these tones, and nearly nothing these others. */
  async hears(tones: number[], not: number[], rate: number): Promise<void> {
    const from = this.bytes
    const wanted = 0.7 / tones.length
    await eventually(
      async () => [...tones, ...not].map((hz) => this.level(hz, rate, from)),
      (levels) =>
        levels.slice(0, tones.length).every((level) => level > wanted) &&
        levels.slice(tones.length).every((level) => level < 0.02),
      { what: `tones ${tones.join(', ')} without ${not.join(', ') || 'others'} in a stream` },
    )
  }

  /** Says a tone, in pieces of so many bytes. */
  say(hz: number, seconds: number, rate: number, piece = rate / 25): void {
    const bytes = Buffer.from(tone(hz, seconds * rate, rate).buffer)
    for (let start = 0; start < bytes.length; start += piece) {
      this.socket.send(bytes.subarray(start, start + piece))
    }
  }

  tell(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  async over(withinMs = 10_000): Promise<number> {
    await eventually(
      async () => this.closed,
      (code) => code !== null,
      { withinMs, what: 'end of a stream' },
    )
    return this.closed!
  }
}

export class StreamServer {
  readonly streams: HeardStream[] = []

  private constructor(
    private readonly server: Server,
    private readonly protocol: 'ws' | 'wss',
  ) {
    new WebSocketServer({ server }).on('connection', (socket, request) => {
      const url = new URL(request.url ?? '', 'ws://x')
      const query = Object.fromEntries(url.searchParams)
      this.streams.push(new HeardStream(socket, query, request.headers, url.pathname))
    })
  }

  /** @param files has it speak TLS */
  static async start(files?: { certificate: string; key: string }): Promise<StreamServer> {
    const server = files
      ? createTlsServer({ cert: await readFile(files.certificate), key: await readFile(files.key) })
      : createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new StreamServer(server, files ? 'wss' : 'ws')
  }

  get url(): string {
    return `${this.protocol}://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** The stream that comes behind those that there were. */
  async stream(had: number): Promise<HeardStream> {
    const stream = await eventually(
      async () => this.streams[had],
      (one) => one !== undefined,
      { what: `stream ${had + 1}` },
    )
    return stream!
  }

  async stop(): Promise<void> {
    for (const { socket } of this.streams) socket.terminate()
    await new Promise<void>((done) => this.server.close(() => done()))
  }
}
