/**
 * A server of speech to text, chat and text to speech over HTTP, as OpenAI's API documents them and as servers that
 * are compatible with it (whisper.cpp, speaches, vLLM, llama.cpp, Ollama, Kokoro) answer. It is strict: what a request
 * has wrong is told in `violations`, which a test expects to stay empty.
 *
 *     const server = new OpenAiHttpServer()
 *     await server.start()
 *     server.transcripts.push('What are your hours?')        // what is heard next; else `transcribing` says it
 *     server.answers.push({ text: 'We open at nine.' })      // what is answered next; else `answering` says it
 *     server.answers.push({ toolCalls: [{ name: 'end_call', arguments: {} }] })
 *     server.fail('speech', { status: 500 })                 // the next request; a number of times, or Infinity
 *     …
 *     expect(server.violations).to.deep.equal([])
 *     await server.stop()
 *
 * Its base URL, for all three, is `server.baseUrl`. Speech is a tone of `toneOf(text)` Hz, `msPerCharacter` long.
 */
import { once } from 'node:events'
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { samplesOf } from './audio-files.js'
import { type ChatRequest, chatProblems } from './openai-shapes.js'
import { tone } from './tone.js'

export type { ChatRequest } from './openai-shapes.js'

export type Endpoint = 'models' | 'transcriptions' | 'chat' | 'speech'

/** How a request goes wrong. */
export type Failure =
  /** The connection is closed without an answer. */
  | 'down'
  /** Nothing is answered at all, until the client gives up. */
  | 'silent'
  /** The answer begins, and the connection is closed in the middle of it. */
  | 'cut'
  /** The answer begins, and then nothing more comes. */
  | 'stalled'
  | { status: number; message?: string }

/** What was heard: a WAV file, and what was said of it. */
export interface HeardFile {
  readonly samples: Int16Array
  readonly rate: number
  readonly model: string
  readonly language: string | null
}

export interface ChatAnswer {
  readonly text?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[]
  /** Between the parts of a streamed answer, which are of a few characters; 0 unless told. */
  readonly msBetween?: number
}

export interface SpeechRequest {
  readonly input: string
  readonly voice: string
  readonly model: string
}

export class OpenAiHttpServer {
  /** What clients did that the API does not allow. */
  readonly violations: string[] = []
  /** Every request's `METHOD path`. */
  readonly requests: string[] = []
  readonly heard: HeardFile[] = []
  readonly chats: ChatRequest[] = []
  readonly spoken: SpeechRequest[] = []
  /** Requests whose client went away before they were answered. */
  aborted = 0
  /** What the next utterances turn out to be. */
  readonly transcripts: string[] = []
  /** What the next chats are answered with. */
  readonly answers: ChatAnswer[] = []
  /** When no transcript is left. */
  transcribing: (file: HeardFile) => string | Promise<string> = (file) =>
    `${(file.samples.length / file.rate).toFixed(1)} seconds`
  /** When no answer is left. */
  answering: (chat: ChatRequest) => ChatAnswer = () => ({ text: 'Yes. I see.' })
  toneOf: (text: string) => number = () => 600
  msPerCharacter = 20
  /** What a text sounds like, in place of the tone: at 24 kHz. */
  speaking: ((text: string) => Int16Array) | null = null
  /** Before each answer. */
  delays: Record<Endpoint, number> = { models: 0, transcriptions: 0, chat: 0, speech: 0 }
  /** What speech comes as, whatever was asked for; `rate` is told by a WAV file, and by nobody else. */
  speechAs: { format: 'pcm' | 'wav'; rate: number } = { format: 'pcm', rate: 24_000 }
  /** `GET /models`: many servers have none. */
  hasModels = true
  private readonly failures = new Map<Endpoint, { failure: Failure; times: number }>()
  private server: Server | undefined
  private port = 0

  /** @param apiKey what requests must bear; null: none is asked for, and none may come */
  constructor(readonly apiKey: string | null = 'sk-test') {}

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`
  }

  /** Listens, on the same port as before when it was stopped. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      void this.answer(request, response).catch((error: unknown) => {
        if (!request.destroyed) this.violations.push(String(error))
        response.destroy()
      })
    })
    server.listen(this.port, '127.0.0.1')
    await once(server, 'listening')
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((done) => this.server?.close(done) ?? done(undefined))
    this.server = undefined
  }

  /** Connections that are open now. */
  async connections(): Promise<number> {
    return new Promise((resolve) => {
      if (this.server) this.server.getConnections((_, count) => resolve(count))
      else resolve(0)
    })
  }

  /** The next requests to an endpoint go wrong. */
  fail(endpoint: Endpoint, failure: Failure, times = 1): void {
    this.failures.set(endpoint, { failure, times })
  }

  /** None does any more. */
  recover(): void {
    this.failures.clear()
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableFinished) this.aborted += 1
    })
    const body = Buffer.concat((await request.toArray()) as Buffer[])
    this.requests.push(`${request.method} ${request.url}`)
    const endpoint = endpoints[`${request.method} ${request.url}`]
    if (!endpoint) {
      this.violations.push(`no endpoint ${request.method} ${request.url}`)
      refuse(response, 404, 'no such endpoint')
      return
    }
    if (this.isRefused(request)) {
      refuse(response, 401, 'Incorrect API key provided')
      return
    }
    await delay(this.delays[endpoint])
    const failure = this.nextFailure(endpoint)
    if (failure === 'down') return void request.socket.destroy()
    if (failure === 'silent') return
    if (failure !== null && typeof failure === 'object') {
      refuse(response, failure.status, failure.message ?? 'it failed')
      return
    }
    const flow = new Flow(response, failure)
    if (endpoint === 'models') {
      this.listModels(response)
      return
    }
    if (endpoint === 'transcriptions') return this.transcribe(request, body, flow)
    if (endpoint === 'chat') return this.chat(body, flow)
    return this.speak(body, flow)
  }

  private isRefused({ headers }: IncomingMessage): boolean {
    const expected = this.apiKey === null ? undefined : `Bearer ${this.apiKey}`
    return headers.authorization !== expected
  }

  private nextFailure(endpoint: Endpoint): Failure | null {
    const planned = this.failures.get(endpoint)
    if (!planned) return null
    planned.times -= 1
    if (planned.times <= 0) this.failures.delete(endpoint)
    return planned.failure
  }

  private listModels(response: ServerResponse): void {
    if (!this.hasModels) {
      refuse(response, 404, 'Not Found')
      return
    }
    const data = [{ id: 'test', object: 'model', created: 1, owned_by: 'test' }]
    sendJson(response, 200, { object: 'list', data })
  }

  private async transcribe(request: IncomingMessage, body: Buffer, flow: Flow): Promise<void> {
    const form = formOf(request, body)
    const file = form?.get('file')
    if (!form || !file) {
      this.refuseForm(flow.response, ['no multipart/form-data with a file'])
      return
    }
    const problems = [...formProblems(form), ...wavProblems(file)]
    if (problems.length > 0) {
      this.refuseForm(flow.response, problems)
      return
    }
    const heard: HeardFile = {
      samples: samplesOf(file.content),
      rate: file.content.readUInt32LE(24),
      model: textOf(form, 'model') ?? '',
      language: textOf(form, 'language'),
    }
    this.heard.push(heard)
    const text = this.transcripts.shift() ?? (await this.transcribing(heard))
    const seconds = heard.samples.length / heard.rate
    flow.head('application/json')
    await flow.send(JSON.stringify({ text, usage: { type: 'duration', seconds } }))
    flow.end()
  }

  private refuseForm(response: ServerResponse, problems: string[]): void {
    this.violations.push(...problems.map((problem) => `transcriptions: ${problem}`))
    refuse(response, 400, problems.join(', '))
  }

  private async chat(body: Buffer, flow: Flow): Promise<void> {
    const chat = JSON.parse(body.toString()) as ChatRequest
    const problems = chatProblems(chat)
    this.violations.push(...problems.map((problem) => `chat: ${problem}`))
    if (problems.length > 0) {
      refuse(flow.response, 400, problems.join(', '))
      return
    }
    this.chats.push(chat)
    const answer = this.answers.shift() ?? this.answering(chat)
    if (!chat.stream) {
      sendJson(flow.response, 200, wholeCompletion(chat, answer))
      return
    }
    flow.head('text/event-stream')
    for (const chunk of chunksOf(chat, answer)) {
      await flow.send(`data: ${JSON.stringify(chunk)}\n\n`)
      await delay(answer.msBetween ?? 0)
      if (flow.isOver) return
    }
    await flow.send('data: [DONE]\n\n')
    flow.end()
  }

  private async speak(body: Buffer, flow: Flow): Promise<void> {
    const asked = JSON.parse(body.toString()) as Record<string, unknown>
    const problems = speechProblems(asked)
    this.violations.push(...problems.map((problem) => `speech: ${problem}`))
    if (problems.length > 0) {
      refuse(flow.response, 400, problems.join(', '))
      return
    }
    const { input, voice, model } = asked as unknown as SpeechRequest
    this.spoken.push({ input, voice, model })
    const { format, rate } = this.speechAs
    const samples =
      this.speaking?.(input) ??
      tone(this.toneOf(input), Math.round((input.length * this.msPerCharacter * rate) / 1_000), rate)
    const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    flow.head(format === 'wav' ? 'audio/wav' : 'audio/pcm')
    const sound = format === 'wav' ? Buffer.concat([endlessWavHeader(rate), pcm]) : pcm
    // Of an odd length: nobody promises that a part ends with a whole sample.
    for (let at = 0; at < sound.length; at += 4_801) {
      await flow.send(sound.subarray(at, at + 4_801))
      if (flow.isOver) return
    }
    flow.end()
  }
}

const endpoints: Record<string, Endpoint | undefined> = {
  'GET /v1/models': 'models',
  'POST /v1/audio/transcriptions': 'transcriptions',
  'POST /v1/chat/completions': 'chat',
  'POST /v1/audio/speech': 'speech',
}

/** An answer that comes in parts, or breaks off. */
class Flow {
  isOver = false
  private sent = 0

  constructor(
    readonly response: ServerResponse,
    private readonly failure: 'cut' | 'stalled' | null,
  ) {
    response.on('close', () => (this.isOver = true))
  }

  head(type: string): void {
    this.response.writeHead(200, { 'content-type': type })
  }

  async send(part: string | Buffer): Promise<void> {
    this.sent += 1
    const isBroken = this.failure !== null && this.sent === 2
    const written = isBroken ? part.slice(0, part.length / 2) : part
    await new Promise((done) => this.response.write(written, done))
    if (!isBroken) return
    this.isOver = true
    if (this.failure === 'cut') this.response.socket?.destroy()
  }

  end(): void {
    if (this.failure === null) this.response.end()
    else if (this.failure === 'cut') this.response.socket?.destroy()
  }
}

/** A part of a form: a field, or a file when it has a name. */
interface FormPart {
  readonly content: Buffer
  readonly fileName: string | null
  readonly type: string | null
}

/** The parts of a multipart/form-data body (RFC 7578); null when it is none. */
function formOf(request: IncomingMessage, body: Buffer): Map<string, FormPart> | null {
  const [, boundary] =
    /^multipart\/form-data; boundary=(\S+)$/.exec(request.headers['content-type'] ?? '') ?? []
  const text = body.toString('latin1')
  if (!boundary || !text.startsWith(`--${boundary}\r\n`) || !text.endsWith(`\r\n--${boundary}--\r\n`))
    return null
  const form = new Map<string, FormPart>()
  for (const part of `\r\n${text}`.split(`\r\n--${boundary}`).slice(1, -1)) {
    const [, head = '', content = ''] = /^\r\n([^]*?)\r\n\r\n([^]*)$/.exec(part) ?? []
    const [, name] = /^Content-Disposition: form-data; name="([^"]+)"/im.exec(head) ?? []
    if (!name) return null
    form.set(name, {
      content: Buffer.from(content, 'latin1'),
      fileName: /; filename="([^"]+)"/i.exec(head)?.[1] ?? null,
      type: /^Content-Type: (\S+)/im.exec(head)?.[1] ?? null,
    })
  }
  return form
}

const formFields = new Set(['file', 'model', 'language', 'prompt', 'response_format', 'temperature'])

function textOf(form: Map<string, FormPart>, name: string): string | null {
  return form.get(name)?.content.toString() ?? null
}

function formProblems(form: Map<string, FormPart>): string[] {
  const problems = [...form.keys()]
    .filter((name) => !formFields.has(name))
    .map((name) => `unknown field ${name}`)
  if (!textOf(form, 'model')) problems.push('no model')
  const language = textOf(form, 'language')
  if (language !== null && !/^[a-z]{2,3}$/.test(language))
    problems.push(`language ${language} is not of ISO 639`)
  const format = textOf(form, 'response_format')
  if (format !== null && format !== 'json') problems.push(`response_format ${format}`)
  return problems
}

/** whisper.cpp reads 16-bit WAV files of 16 kHz, and needs a name with an extension. */
function wavProblems({ content: wav, fileName, type }: FormPart): string[] {
  if (wav.length <= 44 || wav.toString('latin1', 0, 4) !== 'RIFF') return ['no WAV file']
  const problems = []
  if (!fileName?.endsWith('.wav')) problems.push(`a file named ${fileName}`)
  if (type !== 'audio/wav') problems.push(`a file of type ${type}`)
  if (wav.readUInt32LE(4) !== wav.length - 8) problems.push('the length of the RIFF chunk')
  if (wav.readUInt32LE(40) !== wav.length - 44) problems.push('the length of the data chunk')
  const [format, channels, bits] = [wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt16LE(34)]
  if (format !== 1 || channels !== 1 || bits !== 16) problems.push('not 16-bit mono PCM')
  if (wav.readUInt32LE(24) !== 16_000) problems.push(`${wav.readUInt32LE(24)} samples a second`)
  if (wav.readUInt32LE(28) !== 2 * wav.readUInt32LE(24)) problems.push('the byte rate')
  return problems
}

function speechProblems(asked: Record<string, unknown>): string[] {
  const problems = Object.keys(asked)
    .filter((name) => !['model', 'input', 'voice', 'response_format', 'speed'].includes(name))
    .map((name) => `unknown field ${name}`)
  for (const name of ['model', 'input', 'voice']) {
    if (typeof asked[name] !== 'string' || asked[name] === '') problems.push(`no ${name}`)
  }
  if (typeof asked['input'] === 'string' && asked['input'].length > 4_096) problems.push('input is too long')
  if (asked['response_format'] !== 'pcm') problems.push('response_format is not pcm')
  return problems
}

/** The header of a stream that does not know its length yet. */
function endlessWavHeader(rate: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(0xffffffff, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(0xffffffff, 40)
  return header
}

const common = { id: 'chatcmpl-test', created: 1_700_000_000 }

function usageOf(chat: ChatRequest, answer: ChatAnswer) {
  const prompt_tokens = Math.ceil(JSON.stringify(chat.messages).length / 4)
  const completion_tokens = Math.ceil(JSON.stringify(answer).length / 4)
  const total_tokens = prompt_tokens + completion_tokens
  return { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details: { cached_tokens: 8 } }
}

let toolCallsMade = 0

function callsOf({ toolCalls = [] }: ChatAnswer) {
  return toolCalls.map((call) => ({
    id: `call_${(toolCallsMade += 1)}`,
    type: 'function' as const,
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }))
}

function wholeCompletion(chat: ChatRequest, answer: ChatAnswer) {
  const tool_calls = callsOf(answer)
  const message = {
    ...{ role: 'assistant', content: answer.text ?? null, refusal: null },
    ...(tool_calls.length > 0 && { tool_calls }),
  }
  const finish_reason = tool_calls.length > 0 ? 'tool_calls' : 'stop'
  return {
    ...{ ...common, object: 'chat.completion', model: chat.model },
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: usageOf(chat, answer),
  }
}

/** A completion as it is streamed: the text in parts, and then each call of a tool, its arguments in parts too. */
function* chunksOf(chat: ChatRequest, answer: ChatAnswer): Generator<object> {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ ...common, object: 'chat.completion.chunk', model: chat.model, usage: null },
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  })
  yield chunk({ role: 'assistant', content: '' })
  for (const [part] of (answer.text ?? '').matchAll(/[^]{1,7}/g)) yield chunk({ content: part })
  const calls = callsOf(answer)
  for (const [index, { function: called, ...call }] of calls.entries()) {
    yield chunk({ tool_calls: [{ index, ...call, function: { name: called.name, arguments: '' } }] })
    for (const [part] of called.arguments.matchAll(/[^]{1,9}/g)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: part } }] })
    }
  }
  yield chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')
  if (chat.stream_options?.include_usage) {
    yield { ...chunk({}), choices: [], usage: usageOf(chat, answer) }
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'test_error', param: null, code: null } })
}
