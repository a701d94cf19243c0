/** Voice agents in calls: the ways to them, and the sessions that run on this server. */
import type { AudioFarEnd, AudioRoute } from '../../calls/routing/route.js'
import type { Route } from '../../calls/routing/route.js'
import type { Logger } from 'pino'
import type { CallEventName } from '../../calls/model/call-event.entity.js'
import type { CallLeg } from '../../calls/model/call-leg.entity.js'
import { anonymous } from '../../../adapters/freeswitch/caller-variables.js'
import type { Call } from '../../calls/model/call.entity.js'
import { billedSeconds, costOf, perMinute } from '../../rates/rating.js'
import type { ScriptedCall } from '../../calls/session/live-call.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { VoiceAgentRoutes } from '../../calls/routing/voice-agent-routes.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { hasPhrases, phraseOf } from '../../../adapters/speech/phrases.js'
import { SpeechModelError } from '../../../adapters/speech/speech-model.js'
import type { SaidBefore, SpeechModel } from '../../../adapters/speech/speech-model.js'
import { spokenLanguageOf } from '../../../adapters/speech/spoken-language.js'
import type { SpeechProviders } from '../../ai-providers/speech-providers.js'
import type { ToolRunner } from '../tools/tool-runner.js'
import type { VoiceAgentVersions } from '../voice-agent-versions.service.js'
import type { VoiceAgentService } from '../voice-agent.service.js'
import { turnsOf } from './turns-of.js'
import { Session } from './session.js'
import type { Opening } from './session-parts.js'
import type { SessionStore } from '../../voice-agent-sessions/session-store.js'
import type {
  SessionEnd,
  SessionSettings,
  VoiceAgentSession,
} from '../../voice-agent-sessions/voice-agent-session.entity.js'

interface Options {
  readonly voiceAgents: VoiceAgentService
  readonly versions: VoiceAgentVersions
  readonly speech: SpeechProviders
  readonly tools: ToolRunner
  /** Silence after which a caller is asked whether they are still there. */
  readonly silenceSeconds: number
  readonly store: SessionStore
  /** A running call; undefined when it is over. */
  live(callId: string): ScriptedCall | undefined
  /** Adds to a call's timeline. */
  note(call: Readonly<Call>, event: CallEventName, details: object): void
  readonly log: Logger
}

/** Seconds that a voice agent talks where nothing else is said (contract, Call actions). */
export const defaultMaxSeconds = 300

/** Calls that are remembered at most because they lost their voice agent, until their script has asked. */
const maxFailed = 1_000

export class VoiceAgentCalls implements VoiceAgentRoutes {
  private readonly running = new Map<string, Session>()
  private readonly failed = new Set<string>()
  /** Channels of voice agents that were called and wait for somebody to speak with. */
  private readonly waiting = new Map<string, () => void>()

  constructor(private readonly options: Options) {}

  async missing(workspace: Owner, voiceAgentId: string, version: number | undefined) {
    const agent = await this.options.voiceAgents.find(workspace, voiceAgentId)
    if (!agent) return 'voice_agent_id'
    const asked = version ?? agent.published_version
    const isThere = asked !== null && (await this.options.versions.find(workspace, voiceAgentId, asked))
    return isThere ? null : 'version'
  }

  async apology(workspace: Owner, voiceAgentId: string, version: number | undefined) {
    const agent = await this.options.voiceAgents.find(workspace, voiceAgentId)
    const asked = version ?? agent?.published_version ?? null
    const settings = asked && (await this.options.versions.find(workspace, voiceAgentId, asked))
    const language = settings ? spokenLanguageOf(settings) : 'en'
    const isOther = language !== 'en' && hasPhrases(language)
    return {
      english: phraseOf('en', 'apology'),
      own: isOther ? { language, text: phraseOf(language, 'apology') } : null,
    }
  }

  async routeTo(
    call: Readonly<Call>,
    voiceAgentId: string,
    version?: number,
    maxSeconds?: number,
    waits = false,
  ): Promise<Route | null> {
    const workspace = { id: call.workspace_id }
    const agent = await this.options.voiceAgents.find(workspace, voiceAgentId)
    const asked = version ?? agent?.published_version ?? null
    const settings = asked && (await this.options.versions.find(workspace, voiceAgentId, asked))
    if (!agent || !settings) return null
    const own = settings.max_call_duration_seconds || Infinity
    const max_seconds = maxSeconds ?? Math.min(defaultMaxSeconds, own)
    const history = await this.options.store.historyOf(call, voiceAgentId)
    const opening = history.length > 0 ? 'return' : 'greeting'
    const kept = { ...settings, max_seconds }
    return this.routeFor(call, agent.name, kept, history, opening, waits)
  }

  async routeToCalled(call: Readonly<Call>, voiceAgentId: string): Promise<Route | null> {
    return this.routeTo(call, voiceAgentId, undefined, undefined, true)
  }

  /** A new leg for one that the previous server process has left; it keeps the settings of that leg's session. */
  async wayOn(call: Readonly<Call>, leg: CallLeg, opening: Opening): Promise<Route | null> {
    const { store } = this.options
    const session = await store.openOn(leg.id)
    if (leg.voice_agent_id === null) return null
    // The process was killed before it could store the session.
    if (!session) return this.routeTo(call, leg.voice_agent_id)
    const endedAt = new Date()
    await this.endLeft(session, leg, endedAt, 'resumed')
    const spent = (endedAt.getTime() - session.started_at.getTime()) / 1000
    const settings = { ...session.settings, max_seconds: Math.max(1, session.settings.max_seconds - spent) }
    const history = await store.historyOf(call, leg.voice_agent_id)
    return this.routeFor(call, leg.number, settings, history, opening)
  }

  /** Ends the session of a leg that ended while no server was there to see it. */
  async gone(leg: CallLeg, endedAt: Date): Promise<void> {
    const session = await this.options.store.openOn(leg.id)
    if (session) await this.endLeft(session, leg, endedAt, 'caller_left')
  }

  /** Uses the usage that was stored last. */
  private async endLeft(session: VoiceAgentSession, leg: CallLeg, endedAt: Date, reason: SessionEnd) {
    const seconds = billedSeconds(leg.answered_at ?? session.started_at, endedAt)
    const cost = costOf(seconds, leg)
    await this.options.store.ended(session, { endedAt, reason, usage: session.usage_counts, cost })
  }

  hasFailed(callId: string): boolean {
    return this.failed.delete(callId)
  }

  /**
   * A bridge with this leg has begun: a waiting voice agent speaks. @returns whether the leg's far end is in this process
   */
  joined(channelId: string): boolean {
    this.waiting.get(channelId)?.()
    this.waiting.delete(channelId)
    return [...this.running.values()].some((session) => session.channelId === channelId)
  }

  /** Stops all conversations; the next process continues them. */
  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map(async (session) => session.stop()))
  }

  private async routeFor(
    call: Readonly<Call>,
    name: string,
    settings: SessionSettings,
    said: readonly SaidBefore[],
    opening: Opening,
    waits = false,
  ): Promise<Route | null> {
    const { speech, tools, log } = this.options
    const workspace = { id: call.workspace_id }
    try {
      const { provider, pricePerMinute } = await speech.offer(workspace, settings.model_id)
      const model = await speech.model(workspace, {
        modelId: settings.model_id,
        voiceId: settings.voice_id,
        instructions: settings.instructions,
        temperature: settings.temperature,
        noiseReduction: settings.enable_noise_reduction,
        tools: await tools.toolsOf(workspace, settings),
        history: said.map(({ speaker, text }) => ({ speaker, text })),
        language: settings.language ?? null,
        spokenLanguage: spokenLanguageOf(settings),
        turnDetection: turnsOf(settings),
      })
      const begun = { call, settings, provider, feePerMinute: pricePerMinute, opening, model, waits }
      return {
        ...{ number: name, caller: { user: anonymous, domain: '' }, rate: perMinute(pricePerMinute) },
        ...{ gatewayId: null, phone: null, credential: null, headers: {}, targets: [] },
        audio: this.audioRoute(begun),
      }
    } catch (error) {
      if (!(error instanceof SpeechModelError)) throw error
      log.warn(
        { event: 'voice_agent.no_model', err: error, call: call.id, model: settings.model_id },
        'a voice agent has no model',
      )
      return null
    }
  }

  private audioRoute(begun: {
    call: Readonly<Call>
    settings: SessionSettings
    provider: string
    feePerMinute: number
    opening: Opening
    model: SpeechModel
    /** The voice agent is dialled before there is somebody to speak with. */
    waits: boolean
  }): AudioRoute {
    const { settings, model } = begun
    const voiceAgentId = settings.voice_agent_id
    return {
      ...{ sampleRate: model.sampleRate, voiceAgentId, uri: `voice-agent:${voiceAgentId}` },
      prepare: async (_call, signal) => {
        const log = this.options.log.child({ call: begun.call.id, voice_agent: voiceAgentId })
        try {
          await model.open(signal)
        } catch (error) {
          log.warn({ event: 'voice_agent.model_not_ready', err: error }, 'a voice agent’s model is not ready')
          model.close()
          throw error
        }
        return this.farEnd(begun, log)
      },
    }
  }

  private farEnd(begun: Parameters<VoiceAgentCalls['audioRoute']>[0], log: Logger): AudioFarEnd {
    const { store, tools, silenceSeconds } = this.options
    const { call } = begun
    const session = new Session({
      ...begun,
      ...{ store, tools, silenceSeconds, log },
      live: () => this.options.live(call.id),
      note: (event, details) => this.options.note(call, event, details),
      over: (ended) => this.running.delete(ended.id),
      failed: () => this.lost(call.id),
    })
    this.running.set(session.id, session)
    return {
      begin: (leg) => {
        if (begun.waits) this.waitForBridge(leg.channel, () => session.begin(leg))
        else session.begin(leg)
      },
      end: () => session.end(),
    }
  }

  private waitForBridge(channel: Channel, begin: () => void): void {
    this.waiting.set(channel.id, begin)
    const forget = () => this.waiting.delete(channel.id)
    channel.once('ended', forget)
    channel.once('abandoned', forget)
    if (channel.end) forget()
  }

  /** The voice agent of a call was lost. */
  lost(callId: string): void {
    this.failed.add(callId)
    const [oldest] = this.failed
    if (this.failed.size > maxFailed && oldest !== undefined) this.failed.delete(oldest)
  }
}
