/**
 * A server that speaks the OpenAI Realtime protocol, in place of a provider: strict with its clients, and well or badly
 * behaved as it is told. A client with the header `OpenAI-Beta: realtime=v1` is spoken to in the names of the beta.
 *
 *     const server = await RealtimeServer.start()         // baseUrl 'ws://127.0.0.1:…/v1', key 'test-key', any model
 *     server.hz = 660; server.answerMs = 2_000            // the tone it speaks with, and for how long
 *     server.answers.push({ text: 'One moment.', calls: [{ name: 'end_call', arguments: {} }] })
 *     server.answer = ({ callerText, toolAnswers, asked }) => ({ text: `You said ${callerText}` })
 *     server.callerWords.push('I need help')              // transcripts of what the caller says next
 *     const [session] = server.sessions                   // session.heard, .items, .settings, .truncated …
 *     server.handshake = 503 | 'hangs' | 'mute'           // for who connects from now on
 *     session.close() / .drop() / .stall() / .expire() / .sendError({ type, code, message })
 *     expect(server.violations).to.deep.equal([])         // what clients sent against the protocol
 *     await server.stop()
 *
 * Answers: first those of `answers`, one for each response, and then by `answer`. A `response.create` without context
 * (`input: []`) says what its instructions have behind the first blank line, as a model does.
 */
import { once } from 'node:events'
import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { RealtimeSession } from './realtime-session.js'

/** What a response is made of. */
export interface Answer {
  /** What is said, as its transcript; undefined: nothing. */
  text?: string
  /** Of the tone that stands for it, in place of the server's `hz` and `answerMs`. */
  hz?: number
  ms?: number
  /** Tools that are called behind it. */
  calls?: { name: string; arguments: object | string }[]
  /** Waits before it begins to answer. */
  thinkMs?: number
  /** The response fails. */
  error?: { type: string; code: string }
}

/** What is to be answered. */
export interface Asked {
  session: RealtimeSession
  /** The `response` of a `response.create`; null: it had none, or the caller has spoken. */
  asked: any
  /** What the caller has said or written. */
  callerText: string
  /** Of tools, since it spoke last. */
  toolAnswers: string[]
}

export class RealtimeServer {
  readonly sessions: RealtimeSession[] = []
  /** What clients sent that is not of the protocol. */
  readonly violations: string[] = []
  /** Headers of each that connected, or tried. */
  readonly asked: { url: string; headers: IncomingMessage['headers'] }[] = []
  readonly answers: Answer[] = []
  answer: (asked: Asked) => Answer = () => ({ text: 'I hear you.' })
  readonly callerWords: string[] = []
  hz = 440
  answerMs = 1_000
  /** How many times faster than speech sound is sent. */
  pace = 5
  /** Gives back what it hears at once, and does nothing else. */
  isEcho = false
  /** Whether `heard` is kept: not in long runs of many calls. */
  keepsSound = true
  /** `silenceMs` null: as the client asks. */
  vad: { threshold: number; startMs: number; silenceMs: number | null } = {
    threshold: 500,
    startMs: 40,
    silenceMs: 200,
  }
  /** An HTTP status refuses; `hangs` never answers; `mute` connects, and says nothing. */
  handshake: 'ok' | 'hangs' | 'mute' | number = 'ok'
  /** Why `session.update` is refused; null: it is taken. */
  refusesSettings: string | null = null
  /** Whether it has `semantic_vad`: many servers of the protocol do not. */
  hasSemanticTurns = true
  private readonly sockets = new Set<Duplex>()
  private readonly webSockets = new WebSocketServer({ noServer: true, maxPayload: 16_777_216 })

  private constructor(
    private readonly http: Server,
    /** Null: none is asked for. */
    readonly key: string | null,
    /** Others are refused; null: any is known. */
    readonly models: readonly string[] | null,
  ) {}

  static async start({
    key = 'test-key',
    models = null,
    port = 0,
  }: {
    key?: string | null
    models?: readonly string[] | null
    port?: number
  } = {}): Promise<RealtimeServer> {
    const http = createServer((_, response) => response.writeHead(404).end())
    const server = new RealtimeServer(http, key, models)
    http.on('connection', (socket) => {
      server.sockets.add(socket)
      socket.on('close', () => server.sockets.delete(socket))
    })
    http.on('upgrade', (request, socket, head) => server.connect(request, socket, head))
    http.listen(port, '127.0.0.1')
    await once(http, 'listening')
    return server
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port
  }

  get baseUrl(): string {
    return `ws://127.0.0.1:${this.port}/v1`
  }

  /** The latest one. @throws when there is none */
  get session(): RealtimeSession {
    const session = this.sessions.at(-1)
    if (!session) throw new Error('nobody has connected')
    return session
  }

  /** Cuts all connections. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((done) => this.http.close(done))
  }

  answerFor(asked: Asked): Answer {
    const scripted = this.answers.shift()
    if (scripted) return scripted
    if (asked.asked?.input?.length === 0) {
      const text = (asked.asked.instructions as string).split('\n\n').slice(1).join('\n\n')
      return { text }
    }
    return this.answer(asked)
  }

  private connect(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { url = '', headers } = request
    this.asked.push({ url, headers })
    socket.on('error', () => undefined)
    if (this.handshake === 'hangs') return
    const status = this.refusal(url, headers.authorization)
    if (status !== null) {
      socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      return
    }
    this.webSockets.handleUpgrade(request, socket, head, (webSocket) => this.begin(webSocket, request))
  }

  private refusal(url: string, authorization: string | undefined): number | null {
    if (typeof this.handshake === 'number') return this.handshake
    if (!url.startsWith('/v1/realtime?')) return 404
    const isRight = authorization === (this.key === null ? undefined : `Bearer ${this.key}`)
    return isRight ? null : 401
  }

  private begin(socket: WebSocket, { url, headers }: IncomingMessage): void {
    const model = new URL(url ?? '', 'ws://localhost').searchParams.get('model') ?? ''
    const beta = headers['openai-beta']
    if (beta !== undefined && beta !== 'realtime=v1') this.violations.push(`OpenAI-Beta: ${String(beta)}`)
    const session = new RealtimeSession(this, socket, beta ? 'beta' : 'ga', model)
    if (!model || (this.models && !this.models.includes(model))) {
      const message = `The model '${model}' does not exist or you do not have access to it.`
      session.sendError({ type: 'invalid_request_error', code: 'model_not_found', message })
      session.close(4000, 'invalid_request_error.model_not_found')
      return
    }
    this.sessions.push(session)
    if (this.handshake !== 'mute') session.begin()
  }
}
