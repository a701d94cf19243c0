/**
 * A model that is spoken with by the OpenAI Realtime protocol, over a WebSocket: OpenAI's own, or any server that
 * speaks the same (https://platform.openai.com/docs/api-reference/realtime). It hears when the caller begins and ends
 * (`server_vad`), and answers by itself.
 */
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import {
  type SpeechModel,
  SpeechModelError,
  type SpeechModelEvents,
  type SpeechSettings,
  type SpeechUsage,
  type ToolCall,
} from '../speech-model.js'
import { phraseOf } from '../phrases.js'
import { EchoGate } from '../sound/echo-gate.js'
import { soundAnalysis } from '../sound/sound-analysis.js'
import type { Fields } from './fields.js'
import { presentName } from './older-names.js'
import type { RealtimeAddress } from './realtime-address.js'
import { RealtimeFailures } from './realtime-failures.js'
import { realtimeLimits } from './realtime-limits.js'
import {
  literalResponse,
  messageItem,
  realtimeRate,
  responseAbout,
  sessionSettings,
} from './realtime-settings.js'
import { RealtimeSocket } from './realtime-socket.js'
import { responseUsage, transcriptionUsage } from './realtime-usage.js'
import { ResponseRetries, isPassing } from './response-retries.js'
import { type ResponseRequest, ResponseTurns } from './response-turns.js'
import { ToolCalls } from './tool-calls.js'
import { Utterances } from './utterances.js'

/** Previous utterances that the model is given, at most; the last ones. */
const maxHistory = 200

/** Event ids, by which an `error` names its cause. */
const eventIds = { settings: 'settings', response: 'response' }

/**
 * `heard` needs a transcription model (`transcriptionModel`). Only `beta` servers use `temperature` (see
 * `sessionSettings`). Every response ends with `responded`, also when the next one waits already. A response that
 * failed or is empty is requested again before that.
 */
export class RealtimeModel extends EventEmitter<SpeechModelEvents> implements SpeechModel {
  readonly sampleRate = realtimeRate
  private readonly failures: RealtimeFailures
  private readonly socket: RealtimeSocket
  private readonly turns: ResponseTurns
  private readonly utterances = new Utterances(realtimeRate)
  private readonly tools = new ToolCalls()
  private readonly echoes: EchoGate
  private state: 'new' | 'opening' | 'open' | 'over' = 'new'
  private opening: { resolve: () => void; reject: (error: SpeechModelError) => void } | undefined
  private readonly retries: ResponseRetries
  /** Whether something of the response under way has come. */
  private hasOutput = false
  /** Responses in a row with nothing in them. */
  private emptyResponses = 0
  /** The settings, without those that the server has refused. */
  private asked: SpeechSettings
  /** Handlers of events. */
  private readonly receivers = new Map<string, (event: Fields) => void>([
    ['error', (event) => this.receiveError(event.fields('error'))],
    ['session.created', () => this.ask()],
    ['session.updated', () => this.begin()],
    ['input_audio_buffer.speech_started', () => this.receiveTurn('callerSpeaks')],
    ['input_audio_buffer.speech_stopped', () => this.receiveTurn('callerPauses')],
    ['conversation.item.input_audio_transcription.completed', (event) => this.receiveTranscript(event)],
    [
      'conversation.item.input_audio_transcription.failed',
      (event) =>
        this.log.warn(
          { event: 'voice_agent.transcription_failed', ...this.problemOf(event.fields('error')) },
          'what the caller said was not transcribed',
        ),
    ],
    ['response.created', (event) => this.responseBegins(event.fields('response').text('id'))],
    ['response.output_audio.delta', (event) => this.receiveSound(event)],
    ['response.output_audio.done', (event) => this.soundEnds(event.text('item_id'))],
    ['response.output_audio_transcript.delta', (event) => this.receiveWords(event)],
    ['response.output_text.delta', (event) => this.receiveWords(event)],
    [
      'response.output_audio_transcript.done',
      (event) => this.wordsEnd(event.text('item_id'), event.text('transcript')),
    ],
    ['response.output_text.done', (event) => this.wordsEnd(event.text('item_id'), event.text('text'))],
    ['response.output_item.added', (event) => this.tools.begin(event.fields('item'))],
    ['response.function_call_arguments.done', (event) => this.tools.write(event)],
    ['response.output_item.done', (event) => this.itemEnds(event.fields('item'))],
    ['response.done', (event) => this.responseEnds(event.fields('response'))],
  ])

  /** @param log has the model among its fields */
  constructor(
    private readonly address: RealtimeAddress,
    private readonly settings: SpeechSettings,
    private readonly log: Logger,
    limits = realtimeLimits,
  ) {
    super()
    this.asked = settings
    this.failures = new RealtimeFailures(address)
    this.socket = new RealtimeSocket(address, this.failures, limits)
    this.retries = new ResponseRetries(limits)
    this.turns = new ResponseTurns(
      {
        create: (request) => this.create(request),
        cancel: (id) => this.send({ type: 'response.cancel', ...(id && { response_id: id }) }),
        slow: () => this.fail(this.failures.of('slow', 'the provider does not answer')),
        dropped: () => this.emit('responded'),
      },
      limits,
    )
    this.echoes = new EchoGate({
      ...{ analysis: soundAnalysis, rate: realtimeRate, log },
      pass: (frame) => this.append(frame),
    })
    this.socket.on('event', (type, event) => this.receive(type, event))
    this.socket.on('failed', (error) => this.fail(error))
  }

  async open(signal: AbortSignal): Promise<void> {
    const aborted = () => this.fail(this.failures.of('slow', 'the provider was not ready in time'))
    const isReady = new Promise<void>((resolve, reject) => {
      this.opening = { resolve, reject }
    })
    this.state = 'opening'
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    else this.socket.connect(this.settings.modelId)
    try {
      await isReady
      if (!this.settings.textOnly) void this.echoes.open()
    } finally {
      signal.removeEventListener('abort', aborted)
    }
  }

  hear(samples: Int16Array, sent: Int16Array = new Int16Array(0)): void {
    if (this.state === 'open') this.echoes.hear(samples, sent)
  }

  private append(samples: Int16Array): void {
    if (this.state !== 'open') return
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
    // Base64 needs no escapes, and this is done fifty times a second.
    this.socket.send(`{"type":"input_audio_buffer.append","audio":"${bytes.toString('base64')}"}`)
  }

  read(text: string): void {
    if (this.state !== 'open') return
    const item = messageItem(this.address, 'caller', text)
    this.turns.ask({ item, response: undefined, isFollowUp: false })
  }

  say(text: string): void {
    if (this.state !== 'open') return
    this.turns.ask({ response: literalResponse(this.address, text), isFollowUp: false })
  }

  bridge(text: string): void {
    this.say(text)
  }

  respond(about: string | null): void {
    if (this.state !== 'open') return
    if (about === null) this.goOn()
    else this.turns.ask({ response: responseAbout(this.settings, about), isFollowUp: false })
  }

  private goOn(): void {
    this.turns.ask({ response: undefined, isFollowUp: true })
  }

  instruct(text: string): void {
    this.send({ type: 'conversation.item.create', item: messageItem(this.address, 'system', text) })
  }

  interrupt(itemId: string | null, heardMs: number): void {
    if (this.state !== 'open') return
    this.turns.interrupt()
    const cut = itemId === null ? null : this.utterances.cut(itemId, heardMs)
    if (!cut) return
    this.send({
      type: 'conversation.item.truncate',
      item_id: itemId,
      content_index: cut.contentIndex,
      audio_end_ms: cut.endMs,
    })
  }

  /** Of tool calls that came together, the last answer makes the model continue. */
  answerTool(callId: string, output: string, isLast: boolean): void {
    if (this.state !== 'open') return
    const item = { type: 'function_call_output', call_id: callId, output }
    this.send({ type: 'conversation.item.create', item })
    if (this.tools.answer(callId, isLast)) this.goOn()
  }

  close(): void {
    if (this.state === 'over') return
    this.opening?.reject(this.failures.of('closed', 'the session was closed before it was ready'))
    this.end()
  }

  private end(): void {
    this.state = 'over'
    this.opening = undefined
    this.turns.close()
    this.echoes.close()
    this.socket.close()
  }

  private fail(error: SpeechModelError): void {
    if (this.state === 'over') return
    const { opening } = this
    this.end()
    if (opening) opening.reject(error)
    else this.emit('failed', error)
  }

  private send(event: { type: string } & Record<string, unknown>): void {
    if (this.state === 'open') this.socket.send(JSON.stringify(event))
  }

  private create({ item, response }: ResponseRequest): void {
    if (item) this.send({ type: 'conversation.item.create', item })
    this.send({ type: 'response.create', event_id: eventIds.response, ...(response && { response }) })
  }

  private receive(type: string, event: Fields): void {
    this.turns.heardOf()
    this.receivers.get(presentName(type))?.(event)
  }

  /** The caller has begun to speak, or has stopped. */
  private receiveTurn(turn: 'callerSpeaks' | 'callerPauses'): void {
    this.turns[turn]()
    this.emit(turn)
  }

  /** Asks for what the session is to be, once there is one. */
  private ask(): void {
    if (this.state !== 'opening') return
    const session = sessionSettings(this.address, this.asked)
    this.socket.send(JSON.stringify({ type: 'session.update', event_id: eventIds.settings, session }))
  }

  /** Not every server with this protocol has semantic turn detection. */
  private askPlainly(error: Fields): void {
    this.log.warn(
      { event: 'voice_agent.no_semantic_turns', ...this.problemOf(error) },
      'the provider does not take semantic turn detection, perhaps',
    )
    const { turnDetection } = this.asked
    this.asked = { ...this.asked, turnDetection: { ...turnDetection, type: 'server_vad' } }
    this.ask()
  }

  /** The session is as it was asked for. */
  private begin(): void {
    if (this.state !== 'opening') return
    this.state = 'open'
    for (const { speaker, text } of this.settings.history.slice(-maxHistory)) {
      this.send({ type: 'conversation.item.create', item: messageItem(this.address, speaker, text) })
    }
    const { opening } = this
    this.opening = undefined
    opening?.resolve()
  }

  private receiveTranscript(event: Fields): void {
    const text = event.text('transcript').trim()
    if (text) {
      this.turns.callerSaid()
      this.emit('heard', text, event.text('item_id'))
    }
    this.count(transcriptionUsage(event.fields('usage')))
  }

  private receiveSound(event: Fields): void {
    if (this.turns.isMuted) return
    const itemId = event.text('item_id')
    const samples = this.utterances.sound(itemId, event.number('content_index'), event.text('delta'))
    if (samples.length === 0) return
    this.hasOutput = true
    this.emit('audio', samples, itemId)
  }

  private receiveWords(event: Fields): void {
    this.hasOutput ||= this.settings.textOnly === true
    this.utterances.words(event.text('item_id'), event.text('delta'))
  }

  private itemEnds(item: Fields): void {
    const call = this.tools.complete(item)
    if (call) this.callTool(call)
  }

  private callTool(call: ToolCall): void {
    this.hasOutput = true
    this.emit('toolCall', call)
  }

  private soundEnds(itemId: string): void {
    if (this.utterances.soundEnds(itemId)) this.emit('audioDone', itemId)
  }

  private wordsEnd(itemId: string, all: string): void {
    const text = this.utterances.wordsEnd(itemId, all)
    if (text) this.emit('said', text, itemId)
  }

  private responseBegins(id: string): void {
    this.hasOutput = false
    this.turns.created(id)
  }

  private responseEnds(response: Fields): void {
    for (const { itemId, hasSound, hasWords } of this.utterances.unfinished()) {
      if (hasSound) this.soundEnds(itemId)
      if (hasWords) this.wordsEnd(itemId, '')
    }
    for (const call of this.tools.end(response)) this.callTool(call)
    if (this.tools.whole()) this.goOn()
    this.count(responseUsage(response.fields('usage')))
    const isEmpty = !this.hasOutput
    this.hasOutput = false
    switch (response.text('status')) {
      case 'failed':
        if (this.responseFailed(response.fields('status_details').fields('error'), isEmpty)) return
        break
      case 'completed':
      case 'incomplete':
        this.retries.succeeded()
        if (isEmpty && this.saidNothing(response)) return
        if (!isEmpty) this.emptyResponses = 0
    }
    if (this.state !== 'open') return
    this.turns.done()
    this.emit('responded')
  }

  /** @returns whether it is over all the same, since it is asked for again */
  private responseFailed(error: Fields, isEmpty: boolean): boolean {
    this.log.warn(
      { event: 'voice_agent.provider_failed', ...this.problemOf(error) },
      'the provider failed to answer',
    )
    const fatal = this.failures.ofError(error)
    if (fatal) this.fail(fatal)
    else this.askAgain(error, isEmpty)
    return isEmpty
  }

  /** @param isEmpty what the caller has heard the beginning of is not said twice */
  private askAgain(error: Fields, isEmpty: boolean): void {
    const afterMs = this.retries.failed(error)
    if (afterMs === null)
      this.fail(this.failures.of('closed', `the provider fails to answer: ${this.failures.message(error)}`))
    else if (isEmpty) this.turns.again(afterMs)
  }

  /** A response had neither sound nor calls in it. @returns whether it is asked for again */
  private saidNothing(response: Fields): boolean {
    const reason = response.fields('status_details').text('reason')
    this.log.warn(
      { event: 'voice_agent.empty_answer', reason: reason || undefined },
      'the provider answered with nothing',
    )
    this.emptyResponses += 1
    if (this.emptyResponses === 1) this.turns.again(0)
    // The caller hears something at least, and can go on.
    else if (this.emptyResponses === 2) this.say(phraseOf(this.settings.spokenLanguage, 'again'))
    return this.emptyResponses === 1
  }

  private receiveError(error: Fields): void {
    const fatal = this.failures.ofError(error)
    const code = error.text('code')
    if (fatal) this.fail(fatal)
    else if (this.state === 'opening' && this.asked.turnDetection.type === 'semantic_vad')
      this.askPlainly(error)
    // Only settings have been sent by then.
    else if (this.state === 'opening') this.fail(this.failures.of('refused', this.failures.message(error)))
    else if (code === 'conversation_already_has_active_response') this.turns.refusedAsActive()
    // Else the response to cancel had ended by itself, since the caller spoke.
    else if (code !== 'response_cancel_not_active') this.reportError(error)
  }

  private reportError(error: Fields): void {
    this.log.warn(
      { event: 'voice_agent.provider_error', ...this.problemOf(error) },
      'the provider reports an error',
    )
    const about = error.text('event_id')
    const isOfResponse = about === eventIds.response || (about === '' && this.turns.isAwaited)
    if (isOfResponse && isPassing(error)) this.askAgain(error, true)
    else if (about === eventIds.response && this.turns.refused()) this.emit('responded')
  }

  private count(used: Partial<SpeechUsage>): void {
    if (Object.values(used).some((amount) => amount > 0)) this.emit('usage', used)
  }

  private problemOf(error: Fields): { problem: string } {
    return { problem: this.failures.message(error) }
  }
}
