/**
 * A voice agent in a call: what the caller says goes to a model, and what that says is heard by the caller. It begins
 * when its leg is joined with the caller, and ends with that leg.
 */
import type { CallLeg } from '../../calls/model/call-leg.entity.js'
import { DurableWrites } from '../../calls/model/durable-writes.js'
import { joinedSamples } from '../../../lib/sound/joined-samples.js'
import { billedSeconds, costOf, perMinute } from '../../rates/rating.js'
import type { Bridge } from '../../calls/bridge/bridge.js'
import { newId } from '../../../infrastructure/database/ids.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { type RawAudio, frameMs } from '../../../adapters/freeswitch/raw-audio.js'
import { secondsSince, topics } from '../../../infrastructure/observability/telemetry.js'
import { phraseOf } from '../../../adapters/speech/phrases.js'
import type { SpeechModel, SpeechUsage } from '../../../adapters/speech/speech-model.js'
import { spokenLanguageOf } from '../../../adapters/speech/spoken-language.js'
import type { ToolContext } from '../tools/tool-runner.js'
import { CallerKeys } from './caller-keys.js'
import { cues, keysCue } from './cues.js'
import { Dialogue } from './dialogue.js'
import { Playback } from './playback.js'
import type { SessionParts } from './session-parts.js'
import { SessionTools } from './session-tools.js'
import { Silence } from './silence.js'
import type { SessionEnd, VoiceAgentSession } from '../../voice-agent-sessions/voice-agent-session.entity.js'

/** The session's leg, once it is answered. */
interface Leg {
  leg: CallLeg
  channel: Channel
  audio: RawAudio
}

/** Frames that are remembered as played while the leg is not bridged. */
const maxSent = 5

/** A response that sends nothing for this time counts as silence. */
const responseMs = 15_000

/** Seconds before the end in which the voice agent says goodbye; a quarter of short calls. */
const goodbyeSeconds = 12

/** A goodbye that has not been heard by then is cut off. */
const goodbyeMs = 10_000

/** The switch reports the ends of the caller's leg and of ours in any order. */
const whyMs = 500

export class Session {
  readonly id = newId('vse')
  private readonly over = new AbortController()
  private readonly writes: DurableWrites
  private readonly silence: Silence
  private readonly dialogue: Dialogue
  private readonly usage: SpeechUsage = {
    ...{ inputTextTokens: 0, inputAudioTokens: 0, cachedTokens: 0, outputTextTokens: 0 },
    ...{ outputAudioTokens: 0, transcribedSeconds: 0, spokenCharacters: 0 },
  }
  private readonly tools: SessionTools
  private readonly keys: CallerKeys | null
  private readonly timers = new Set<NodeJS.Timeout>()
  private leg: Leg | undefined
  /** Frames that were played since the last one that was heard. */
  private readonly sent: Int16Array[] = []
  private playback: Playback | undefined
  private row: VoiceAgentSession | undefined
  private reason: SessionEnd | null = null
  private isJoined = false
  /** Since when the caller waits to hear something: since they were bridged, or stopped speaking. */
  private waitsSince: { after: 'join' | 'caller'; begun: number } | null = null
  /** The caller speaks. */
  private isCallerSpeaking = false
  /** How long to wait for a response that was requested or is under way: milliseconds since the epoch. */
  private respondsUntil = 0
  /** The voice agent says goodbye. */
  private leavesFor: SessionEnd | null = null
  /** Something was said since. */
  private isSayingGoodbye = false
  private hasSaidGoodbye = false
  private isStopped = false
  /** The caller is to hear that it is there again, as soon as they hear it. */
  private isReturning: boolean

  constructor(private readonly parts: SessionParts) {
    this.writes = new DurableWrites(parts.log)
    this.silence = new Silence(parts.silenceSeconds)
    this.isReturning = parts.opening === 'return'
    this.dialogue = new Dialogue((said) => {
      const { row } = this
      const id = newId('dia')
      const usage = { ...this.usage }
      if (row) void this.writes.add(async () => parts.store.said(row, id, said, usage))
    })
    this.tools = this.toolsOf(parts)
    this.keys = this.keysOf(parts)
    this.follow(parts.model)
  }

  private toolsOf({ model, tools: runner, settings, log }: SessionParts): SessionTools {
    return new SessionTools({
      ...{ model, runner, log },
      delayMessage: settings.tool_delay_message ?? phraseOf(spokenLanguageOf(settings), 'moment'),
      context: () => this.toolContext(),
      expectResponse: () => this.expectResponse(),
      isOver: () => this.over.signal.aborted,
      endBy: async (ends) => this.endBy(ends),
    })
  }

  /** Sessions that began before a server knew of the setting have it on. */
  private keysOf(parts: SessionParts): CallerKeys | null {
    const { model, settings } = parts
    if ((settings.enable_dtmf as boolean | undefined) === false) return null
    return new CallerKeys({
      isTaken: () => this.isHeld || this.tools.isRunning('collect_digits'),
      begin: () => {
        this.callerIsThere()
        this.interrupt()
      },
      pressed: (keys) => {
        parts.note('call.keys', { keys, voice_agent_id: settings.voice_agent_id })
        model.instruct(keysCue(keys))
        this.respond(null)
      },
    })
  }

  get callId(): string {
    return this.parts.call.id
  }

  /** The channel on which it talks; undefined before it was answered, and after it has stopped. */
  get channelId(): string | undefined {
    return this.isStopped ? undefined : this.leg?.channel.id
  }

  /** Why it ended; null while it runs. */
  get endReason(): SessionEnd | null {
    return this.reason
  }

  /** The leg is answered; it is bridged with the caller in a moment. */
  begin(leg: Leg): void {
    this.leg = leg
    const playback = (this.playback = new Playback(leg.audio))
    playback.on('heard', (itemId) => this.dialogue.wasHeard(itemId))
    leg.audio.on('sent', (samples) => {
      this.sent.push(samples)
      if (this.sent.length > maxSent) this.sent.shift()
    })
    leg.audio.on('frame', (samples) => this.hear(samples, this.sent.splice(0)))
    const { call, settings, provider } = this.parts
    const row: VoiceAgentSession = {
      ...{ id: this.id, workspace_id: call.workspace_id, call_id: call.id, leg_id: leg.leg.id },
      ...{ voice_agent_id: settings.voice_agent_id, version: settings.version },
      ...{ provider, model_id: settings.model_id, settings, started_at: new Date() },
      ...{ ended_at: null, end_reason: null, usage_counts: null, cost: 0 },
    }
    this.row = row
    void this.writes.add(async () => this.parts.store.begun(row))
    this.limit()
    // The link to the switch was lost: the call is recovered with another session.
    leg.channel.once('abandoned', () => void this.stop())
    // The model may have been lost in this very moment.
    if (this.reason) this.hangUp()
  }

  /** The leg has ended, or was never created. */
  end(): void {
    this.after(this.reason ? 0 : whyMs, () => this.close())
  }

  /** Another session continues the conversation, as a rule of the next process: the row stays open for that. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.release()
    this.dialogue.end()
    await this.writes.settled()
    this.parts.over(this)
  }

  private hear(samples: Int16Array, sent: readonly Int16Array[]): void {
    if (this.over.signal.aborted) return
    const { playback } = this
    if (!playback) return
    if (!this.isJoined) this.join()
    playback.look()
    const { bridge } = this
    this.keys?.follow(bridge?.at(this.callerSide(bridge)).channel)
    const isHeld = this.isHeld
    if (this.isReturning && !isHeld) {
      this.isReturning = false
      this.respond(cues.return)
    }
    this.parts.model.hear(isHeld ? new Int16Array(samples.length) : samples, joinedSamples(sent))
    this.watch(isHeld)
  }

  /** The caller is there. */
  private join(): void {
    this.isJoined = true
    const { settings, opening, model } = this.parts
    const greeting = settings.greeting_message.trim()
    if (opening !== 'greeting' || !greeting) return
    this.waitsSince = { after: 'join', begun: performance.now() }
    this.expectResponse()
    model.say(greeting)
  }

  /** The caller has waited for what they hear now. */
  private reportWait(): void {
    if (!this.waitsSince) return
    const { after, begun } = this.waitsSince
    this.waitsSince = null
    topics.voiceAgentHeard.publish({ after, seconds: secondsSince(begun) })
  }

  private watch(isHeld: boolean): void {
    const isBusy = this.isCallerSpeaking || this.isResponding || this.playback?.isSpeaking
    if (this.leavesFor) {
      if (this.hasSaidGoodbye && !isBusy) this.leave(this.leavesFor)
      return
    }
    this.tools.waited(isHeld || isBusy ? 0 : frameMs)
    if (isHeld || isBusy || this.tools.count > 0) {
      this.silence.broken()
      return
    }
    const next = this.silence.passed(frameMs)
    if (next === 'ask') this.respond(cues.silence)
    if (next === 'leave') this.sayGoodbye('silence', cues.leaving)
  }

  private respond(what: string | null): void {
    this.expectResponse()
    this.parts.model.respond(what)
  }

  private expectResponse(): void {
    this.respondsUntil = Date.now() + responseMs
  }

  private get isResponding(): boolean {
    return Date.now() < this.respondsUntil
  }

  private sayGoodbye(reason: SessionEnd, what: string): void {
    if (this.leavesFor || this.over.signal.aborted) return
    this.leavesFor = reason
    this.respond(what)
    this.after(goodbyeMs, () => {
      if (this.leavesFor === reason) this.leave(reason)
    })
  }

  /** Ends the call's part of the voice agent. */
  private leave(reason: SessionEnd): void {
    if (this.over.signal.aborted) return
    this.reason ??= reason
    this.hangUp()
  }

  private hangUp(): void {
    void this.leg?.channel.hangUp('NORMAL_CLEARING').catch(() => undefined)
  }

  /** Ends it in time, with a goodbye before. */
  private limit(): void {
    const { call, settings } = this.parts
    const spentMs = call.answered_at ? Date.now() - call.answered_at.getTime() : 0
    const seconds = Math.max(1, Math.min(settings.max_seconds, call.max_duration - spentMs / 1000))
    const goodbye = Math.min(goodbyeSeconds, seconds / 4)
    this.after((seconds - goodbye) * 1000, () => {
      // In the middle of a sentence it would not be understood.
      void this.playback?.heard().then(() => {
        if (!this.isHeld) this.sayGoodbye('max_duration', cues.timeIsUp)
      })
    })
    this.after(seconds * 1000, () => this.leave('max_duration'))
  }

  private follow(model: SpeechModel): void {
    model.on('audio', (samples, itemId) => {
      const { playback } = this
      if (!playback || this.over.signal.aborted) return
      this.expectResponse()
      this.isSayingGoodbye = this.leavesFor !== null
      if (playback.play(samples, itemId)) {
        this.dialogue.voiceAgentSpeaks(itemId)
        this.reportWait()
      }
    })
    model.on('audioDone', (itemId) => this.playback?.finish(itemId))
    model.on('said', (text, itemId) => this.dialogue.said(text, itemId))
    model.on('heard', (text) => {
      this.silence.callerSpoke()
      this.dialogue.heard(text)
    })
    model.on('callerSpeaks', () => this.callerSpeaks())
    model.on('callerPauses', () => {
      this.isCallerSpeaking = false
      this.waitsSince = { after: 'caller', begun: performance.now() }
      this.dialogue.callerPauses()
    })
    model.on('responded', () => {
      this.respondsUntil = 0
      // A response that was under way when the goodbye was asked for is over too, and says nothing about it.
      if (this.isSayingGoodbye) this.hasSaidGoodbye = true
    })
    model.on('toolCall', (call) => {
      // Keys that were pressed before do not belong to the collected ones.
      if (call.name === 'collect_digits') this.keys?.flush()
      void this.tools.run(call)
    })
    model.on('usage', (used) => {
      for (const [name, count] of Object.entries(used)) this.usage[name as keyof SpeechUsage] += count
    })
    model.on('failed', (error) => {
      this.parts.log.warn(
        { event: 'voice_agent.model_lost', err: error, kind: error.kind },
        'a voice agent has lost its model',
      )
      this.parts.failed()
      this.leave('provider_failed')
    })
  }

  /** Whatever the voice agent is saying stops at once. */
  private callerSpeaks(): void {
    this.isCallerSpeaking = true
    this.waitsSince = null
    this.callerIsThere()
    this.interrupt()
    this.dialogue.callerSpeaks()
  }

  private callerIsThere(): void {
    this.silence.callerSpoke()
    if (this.leavesFor !== 'silence') return
    this.leavesFor = null
    this.isSayingGoodbye = this.hasSaidGoodbye = false
  }

  private interrupt(): void {
    const { playback, parts } = this
    if (!playback || this.isHeld) return
    const cutOff = playback.interrupt()
    if (cutOff.length > 0 || this.isResponding) {
      const [first] = cutOff
      parts.model.interrupt(first?.itemId ?? null, Math.round(first?.heardMs ?? 0))
    }
    for (const { itemId, heardMs } of cutOff) this.dialogue.wasInterrupted(itemId, heardMs)
  }

  private async endBy(ends: 'ended' | 'transferred'): Promise<void> {
    this.reason ??= ends
    // The transfer hangs up its leg.
    if (ends === 'transferred') return
    await this.playback?.heard()
    // The tool ends the call, and not only this part of it.
    await this.parts
      .live()
      ?.hangUp('NORMAL_CLEARING')
      .catch(() => undefined)
  }

  private toolContext(): ToolContext | null {
    const { call, settings, model } = this.parts
    const { playback, bridge } = this
    const live = this.parts.live()
    if (!live || !bridge || !playback) return null
    return {
      ...{ workspace: { id: call.workspace_id }, call, live, signal: this.over.signal },
      ...{ voiceAgentId: settings.voice_agent_id, settings },
      caller: bridge.at(this.callerSide(bridge)).channel,
      heard: async () => playback.heard(),
      instruct: (text) => {
        model.instruct(text)
        this.respond(null)
      },
      note: (event, details) => this.parts.note(event, details),
    }
  }

  /** The talk of the caller with this voice agent. */
  private get bridge(): Bridge | undefined {
    const bridge = this.parts.live()?.bridge
    const isOurs =
      bridge && [bridge.line, bridge.destination].some(({ channel }) => channel === this.leg?.channel)
    return isOurs ? bridge : undefined
  }

  private callerSide(bridge: Bridge) {
    return bridge.destination.channel === this.leg?.channel ? 'line' : 'destination'
  }

  /** Whether the caller hears something else meanwhile. */
  private get isHeld(): boolean {
    const { bridge } = this
    return Boolean(
      bridge && (['line', 'destination', 'transfer'] as const).some((one) => bridge.isHeldBy(one)),
    )
  }

  private close(): void {
    if (this.over.signal.aborted || this.isStopped) return
    this.reason ??= this.whyOver()
    const { reason, row, leg } = this
    for (const { itemId, heardMs } of this.playback?.interrupt() ?? [])
      this.dialogue.wasInterrupted(itemId, heardMs)
    this.release()
    this.dialogue.end()
    if (row && leg) {
      const endedAt = leg.channel.end?.endedAt ?? new Date()
      const answeredAt = leg.channel.answeredAt ?? row.started_at
      const cost = costOf(billedSeconds(answeredAt, endedAt), perMinute(this.parts.feePerMinute))
      const ended = { endedAt, reason, usage: this.usage, cost }
      void this.writes.add(async () => this.parts.store.ended(row, ended))
    }
    void this.writes.settled().then(() => this.parts.over(this))
  }

  /** The reason of an end that the session did not cause. */
  private whyOver(): SessionEnd {
    const end = this.leg?.channel.end
    if (end?.hangupCause === 'BLIND_TRANSFER') return 'transferred'
    const live = this.parts.live()
    const others = live?.channel
    return !live || !others || others.end ? 'caller_left' : 'replaced'
  }

  /** Releases its resources. */
  private release(): void {
    this.over.abort()
    for (const timer of this.timers) clearTimeout(timer)
    this.timers.clear()
    this.keys?.close()
    this.playback?.close()
    this.parts.model.close()
    this.parts.model.removeAllListeners()
  }

  private after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      work()
    }, ms)
    this.timers.add(timer)
  }
}
