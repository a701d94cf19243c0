/** One client of the {@link RealtimeServer}: its conversation, and what was said to it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import type { Answer, RealtimeServer } from './realtime-server.js'
import { type Protocol, problemOf } from './realtime-shapes.js'
import { SpeechDetector } from './speech-detector.js'
import { tone } from './tone.js'

const rate = 24_000

/** Of one delta of sound. */
const chunkMs = 100

/** A client knows of a response after so long, and must not ask for another one. */
const knownMs = 500

interface Active {
  readonly id: string
  readonly since: number
  readonly cancelled: AbortController
}

/** The names of the general availability, and what they were before. */
const olderNames: [string, string][] = [
  ['response.output_audio_transcript', 'response.audio_transcript'],
  ['response.output_audio', 'response.audio'],
  ['response.output_text', 'response.text'],
  ['conversation.item.added', 'conversation.item.created'],
]

export class RealtimeSession {
  /** As the client set it last: the `session` of its `session.update`. */
  settings: any = {}
  /** The conversation's items, in order. */
  readonly items: any[] = []
  /** What the client sent, but for sound. */
  readonly events: any[] = []
  /** `error`s that it was told. */
  readonly errors: any[] = []
  /** How each response ended: `completed`, `cancelled`, `failed`. */
  readonly responses: string[] = []
  /** Truncated utterances: how much of each was heard. */
  readonly truncated: { item_id: string; audio_end_ms: number }[] = []
  /** How many sounds were appended. */
  appends = 0
  /** How the client ended it; null: it is there. */
  closed: { code: number; reason: string } | null = null
  private readonly sounds: Int16Array[] = []
  private readonly detector: SpeechDetector
  private active: Active | null = null
  /** What begins when the one that was cancelled is over. */
  private next: (() => void) | null = null
  private count = 0
  private callerItem = ''
  /** Sound of each item that was sent, in milliseconds. */
  private readonly spokenMs = new Map<string, number>()

  constructor(
    private readonly server: RealtimeServer,
    private readonly socket: WebSocket,
    readonly protocol: Protocol,
    /** Of the URL. */
    readonly model: string,
  ) {
    this.detector = new SpeechDetector(rate, server.vad.threshold, server.vad.startMs)
    socket.on('message', (data) => this.receive((data as Buffer).toString()))
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
      this.active?.cancelled.abort()
    })
    socket.on('error', () => undefined)
  }

  /** All that the caller said, at 24 kHz. */
  get heard(): Int16Array {
    const all = new Int16Array(this.sounds.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const sound of this.sounds) {
      all.set(sound, at)
      at += sound.length
    }
    return all
  }

  /** The turn detection that is in force, in either protocol. */
  get turnDetection(): any {
    const { settings } = this
    return this.protocol === 'ga' ? settings.audio?.input?.turn_detection : settings.turn_detection
  }

  /** Whether it is to answer by text. */
  private get isTextOnly(): boolean {
    const { output_modalities, modalities } = this.settings
    return !(output_modalities ?? modalities ?? ['audio']).includes('audio')
  }

  private get transcription(): any {
    const { settings } = this
    return this.protocol === 'ga' ? settings.audio?.input?.transcription : settings.input_audio_transcription
  }

  /** Ends the connection as a server does. */
  close(code = 1001, reason = 'going away'): void {
    this.socket.close(code, reason)
  }

  /** Cuts the connection without a word. */
  drop(): void {
    this.socket.terminate()
  }

  /** Reads nothing any more, and so answers no ping. */
  stall(): void {
    this.socket.pause()
  }

  /** The session has come to its longest duration. */
  expire(): void {
    const message = 'Your session hit the maximum duration of 60 minutes.'
    this.sendError({ type: 'invalid_request_error', code: 'session_expired', message })
    this.close(1001, '')
  }

  sendError(error: { type: string; code: string; message: string; event_id?: string }): void {
    const told = { param: null, event_id: null, ...error }
    this.errors.push(told)
    this.send('error', { error: told })
  }

  /** Sends an event by its newer name, with what the protocol adds. */
  send(type: string, fields: object): void {
    let name = type
    if (this.protocol === 'beta') {
      if (type === 'conversation.item.done') return
      for (const [newer, older] of olderNames) name = name.replace(newer, older)
    }
    this.sendRaw(JSON.stringify({ event_id: this.id('event'), type: name, ...fields }))
  }

  sendRaw(text: string): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(text)
  }

  private id(kind: string): string {
    this.count += 1
    return `${kind}_${this.count}`
  }

  private get identity(): object {
    return { id: 'sess_1', object: 'realtime.session', model: this.model }
  }

  begin(): void {
    this.send('session.created', { session: { ...this.identity, type: 'realtime' } })
  }

  private violate(problem: string, event: any): void {
    this.server.violations.push(problem)
    this.sendError({
      type: 'invalid_request_error',
      code: 'invalid_value',
      message: problem,
      event_id: event?.event_id,
    })
  }

  private receive(text: string): void {
    let event: any
    try {
      event = JSON.parse(text)
    } catch {
      this.violate('no JSON', null)
      return
    }
    const problem = problemOf(this.protocol, event)
    if (problem !== null) {
      this.violate(problem, event)
      return
    }
    if (event.type !== 'input_audio_buffer.append') this.events.push(event)
    switch (event.type) {
      case 'session.update':
        this.update(event)
        break
      case 'input_audio_buffer.append':
        this.hear(event.audio)
        break
      case 'conversation.item.create':
        this.createItem(event)
        break
      case 'conversation.item.truncate':
        this.truncate(event)
        break
      case 'response.create':
        this.create(event)
        break
      case 'response.cancel':
        this.cancel(event)
        break
      default:
        this.violate(`${event.type} is not spoken by this server`, event)
    }
  }

  private update(event: any): void {
    if (this.server.refusesSettings) {
      const { refusesSettings: message } = this.server
      this.sendError({ type: 'invalid_request_error', code: 'invalid_value', message })
      return
    }
    const before = this.settings
    this.settings = { ...before, ...event.session }
    if (this.turnDetection?.type === 'semantic_vad' && !this.server.hasSemanticTurns) {
      this.settings = before
      this.sendError({
        ...{ type: 'invalid_request_error', code: 'invalid_value' },
        message: "Invalid value: 'semantic_vad'. Supported values are: 'server_vad'.",
      })
      return
    }
    this.send('session.updated', { session: { ...this.identity, ...this.settings } })
  }

  private addItem(item: any): void {
    const previous = this.items.at(-1)?.id ?? null
    this.items.push(item)
    this.send('conversation.item.added', { previous_item_id: previous, item })
  }

  private createItem(event: any): void {
    const item = { id: this.id('item'), object: 'realtime.item', status: 'completed', ...event.item }
    const isKnown = this.items.some((one) => one.type === 'function_call' && one.call_id === item.call_id)
    if (item.type === 'function_call_output' && !isKnown) {
      this.violate(`no function call ${item.call_id}`, event)
      return
    }
    this.addItem(item)
    this.send('conversation.item.done', { previous_item_id: null, item })
  }

  private truncate(event: any): void {
    const spoken = this.spokenMs.get(event.item_id)
    if (spoken === undefined) {
      this.violate(`no sound of item ${event.item_id}`, event)
      return
    }
    if (event.audio_end_ms > spoken) {
      this.violate(`audio_end_ms ${event.audio_end_ms} is beyond ${spoken}`, event)
      return
    }
    const { item_id, content_index, audio_end_ms } = event
    this.truncated.push({ item_id, audio_end_ms })
    this.send('conversation.item.truncated', { item_id, content_index, audio_end_ms })
  }

  private hear(base64: string): void {
    const bytes = Buffer.from(base64, 'base64')
    if (bytes.length % 2 !== 0) {
      this.violate('half a sample', null)
      return
    }
    this.appends += 1
    const sound = new Int16Array(bytes.length / 2)
    bytes.copy(Buffer.from(sound.buffer))
    if (this.server.keepsSound) this.sounds.push(sound)
    if (this.server.isEcho) {
      this.echo(base64)
      return
    }
    const detection = this.turnDetection
    if (!detection) return
    const silenceMs = this.server.vad.silenceMs ?? detection.silence_duration_ms ?? 500
    for (const change of this.detector.hear(sound, silenceMs)) {
      if (change === 'begins') this.callerBegins(detection)
      else this.callerEnds(detection)
    }
  }

  private echo(delta: string): void {
    // Of no response that was announced: the client need not wait for its end.
    const place = { response_id: 'resp_echo', item_id: 'item_echo', output_index: 0, content_index: 0 }
    this.send('response.output_audio.delta', { ...place, delta })
  }

  private callerBegins(detection: any): void {
    this.callerItem = this.id('item')
    const audio_start_ms = this.detector.heardMs
    this.send('input_audio_buffer.speech_started', { audio_start_ms, item_id: this.callerItem })
    if (detection.interrupt_response !== false) this.active?.cancelled.abort('turn_detected')
  }

  private callerEnds(detection: any): void {
    const item_id = this.callerItem
    this.send('input_audio_buffer.speech_stopped', { audio_end_ms: this.detector.heardMs, item_id })
    this.send('input_audio_buffer.committed', { item_id, previous_item_id: this.items.at(-1)?.id ?? null })
    const transcript = this.server.callerWords.shift() ?? 'Hello.'
    const part = { type: 'input_audio' }
    this.addItem({ id: item_id, type: 'message', role: 'user', status: 'completed', content: [part] })
    if (this.transcription) {
      this.send('conversation.item.input_audio_transcription.completed', {
        item_id,
        content_index: 0,
        transcript,
        usage: { type: 'duration', seconds: 1 },
      })
    }
    if (detection.create_response !== false) this.respond(null, transcript)
  }

  private create(event: any): void {
    const { active } = this
    if (active) {
      if (Date.now() - active.since > knownMs) {
        this.server.violations.push('response.create while one was known to be active')
      }
      this.sendError({
        type: 'invalid_request_error',
        code: 'conversation_already_has_active_response',
        message: `Conversation already has an active response in progress: ${active.id}.`,
        event_id: event.event_id,
      })
      return
    }
    this.respond(event.response ?? null, this.lastText())
  }

  /** What the caller has written last. */
  private lastText(): string {
    return this.items.findLast(({ role }) => role === 'user')?.content[0].text ?? ''
  }

  private cancel(event: any): void {
    if (!this.active || (event.response_id && event.response_id !== this.active.id)) {
      this.sendError({
        type: 'invalid_request_error',
        code: 'response_cancel_not_active',
        message: 'Cancellation failed: no active response found',
        event_id: event.event_id,
      })
      return
    }
    this.active.cancelled.abort('client_cancelled')
  }

  /** Begins a response, as the caller's turn or the client would. */
  respond(asked: any, callerText = ''): void {
    if (this.active?.cancelled.signal.aborted) {
      // It ends in a moment.
      this.next = () => this.respond(asked, callerText)
      return
    }
    if (this.active) return
    const active = { id: this.id('resp'), since: Date.now(), cancelled: new AbortController() }
    this.active = active
    const { toolAnswers } = this
    const answer = this.server.answerFor({ session: this, asked, callerText, toolAnswers })
    void this.run(active, answer)
  }

  /** The answers of tools that came since the last response. */
  private get toolAnswers(): string[] {
    const since = this.items.findLastIndex(({ type, role }) => type === 'message' && role === 'assistant')
    return this.items
      .slice(since + 1)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => output as string)
  }

  private async run({ id, cancelled: { signal } }: Active, answer: Answer): Promise<void> {
    const response = { id, object: 'realtime.response' }
    this.send('response.created', { response: { ...response, status: 'in_progress', output: [] } })
    await sleep(answer.thinkMs ?? 0, undefined, { signal }).catch(() => undefined)
    const output: any[] = []
    let spokenMs = 0
    if (!answer.error) {
      if (answer.text !== undefined && !signal.aborted) {
        const item = this.isTextOnly ? this.write(id, answer.text) : await this.speak(id, answer, signal)
        spokenMs = this.spokenMs.get(item.id) ?? 0
        output.push(item)
      }
      for (const call of answer.calls ?? []) {
        if (!signal.aborted) output.push(this.call(id, call, output.length))
      }
    }
    this.active = null
    const status = answer.error ? 'failed' : signal.aborted ? 'cancelled' : 'completed'
    this.responses.push(status)
    const status_details = answer.error
      ? { type: status, error: answer.error }
      : { type: status, ...(signal.aborted && { reason: signal.reason as string }) }
    const usage = this.usage(answer, spokenMs)
    this.send('rate_limits.updated', { rate_limits: [] })
    this.send('response.done', { response: { ...response, status, status_details, output, usage } })
    const { next } = this
    this.next = null
    next?.()
  }

  private usage({ text = '' }: Answer, spokenMs: number): object {
    const input = { text_tokens: 20, audio_tokens: Math.round(this.detector.heardMs / 100), cached_tokens: 8 }
    const output = { text_tokens: text.split(' ').length, audio_tokens: Math.round(spokenMs / 50) }
    const [input_tokens, output_tokens] = [input, output].map((one) => one.text_tokens + one.audio_tokens)
    return {
      ...{ total_tokens: (input_tokens ?? 0) + (output_tokens ?? 0), input_tokens, output_tokens },
      input_token_details: input,
      output_token_details: output,
    }
  }

  private beginMessage(response_id: string): any {
    const item = {
      ...{ id: this.id('item'), object: 'realtime.item', type: 'message', role: 'assistant' },
      ...{ status: 'in_progress', content: [] },
    }
    this.send('response.output_item.added', { response_id, output_index: 0, item })
    this.addItem(item)
    return item
  }

  private async speak(response_id: string, answer: Answer, signal: AbortSignal): Promise<any> {
    const { text = '', hz = this.server.hz, ms = this.server.answerMs } = answer
    const item = this.beginMessage(response_id)
    const place = { response_id, item_id: item.id, output_index: 0, content_index: 0 }
    this.send('response.content_part.added', { ...place, part: { type: 'audio', transcript: '' } })
    this.send('response.output_audio_transcript.delta', { ...place, delta: text })
    let sent = 0
    this.spokenMs.set(item.id, 0)
    while (sent < ms && !signal.aborted) {
      const length = Math.min(chunkMs, ms - sent)
      const sound = tone(hz, (rate * length) / 1000, rate, 8000, (rate * sent) / 1000)
      this.send('response.output_audio.delta', {
        ...place,
        delta: Buffer.from(sound.buffer).toString('base64'),
      })
      sent += length
      this.spokenMs.set(item.id, sent)
      const wait = length / this.server.pace
      if (wait >= 1) await sleep(wait, undefined, { signal }).catch(() => undefined)
    }
    this.send('response.output_audio.done', place)
    this.send('response.output_audio_transcript.done', { ...place, transcript: text })
    this.send('response.content_part.done', { ...place, part: { type: 'audio', transcript: text } })
    const type = this.protocol === 'ga' ? 'output_audio' : 'audio'
    item.status = signal.aborted ? 'incomplete' : 'completed'
    item.content = [{ type, transcript: text }]
    this.send('response.output_item.done', { response_id, output_index: 0, item })
    this.send('conversation.item.done', { previous_item_id: null, item })
    return item
  }

  private write(response_id: string, text: string): any {
    const item = this.beginMessage(response_id)
    const place = { response_id, item_id: item.id, output_index: 0, content_index: 0 }
    this.send('response.content_part.added', { ...place, part: { type: 'text', text: '' } })
    this.send('response.output_text.delta', { ...place, delta: text })
    this.send('response.output_text.done', { ...place, text })
    this.send('response.content_part.done', { ...place, part: { type: 'text', text } })
    item.status = 'completed'
    item.content = [{ type: this.protocol === 'ga' ? 'output_text' : 'text', text }]
    this.send('response.output_item.done', { response_id, output_index: 0, item })
    this.send('conversation.item.done', { previous_item_id: null, item })
    return item
  }

  private call(response_id: string, call: NonNullable<Answer['calls']>[number], output_index: number): any {
    const json = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
    const item = {
      ...{ id: this.id('item'), object: 'realtime.item', type: 'function_call' },
      ...{ call_id: this.id('call'), name: call.name, arguments: json, status: 'completed' },
    }
    const begun = { ...item, status: 'in_progress', arguments: '' }
    this.send('response.output_item.added', { response_id, output_index, item: begun })
    this.addItem(item)
    const place = { response_id, item_id: item.id, output_index, call_id: item.call_id }
    this.send('response.function_call_arguments.delta', { ...place, delta: json })
    const named = this.protocol === 'ga' ? { ...place, name: item.name } : place
    this.send('response.function_call_arguments.done', { ...named, arguments: json })
    this.send('response.output_item.done', { response_id, output_index, item })
    this.send('conversation.item.done', { previous_item_id: null, item })
    return item
  }
}
