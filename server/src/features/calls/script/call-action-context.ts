/** What a script may use of its call: the script leg and everything that actions do with it. */
import type { Outcome } from '../model/outcomes.js'
import type { ConnectOutcome, LegRefusal } from '../model/outcomes.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Route } from '../routing/route.js'
import type { ResumePoint } from './resume-point.js'
import type { Side } from '../bridge/side.js'
import type { CallbackServer } from '../../../infrastructure/callbacks/callback-client.js'
import type { Logger } from 'pino'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { ChannelEndedError } from '../../../adapters/freeswitch/channel-end.js'
import { dialledName } from '../../../adapters/freeswitch/dial-string.js'
import { SwitchDownError, SwitchRefusedError } from '../../../adapters/freeswitch/errors.js'
import type { ActionContext, ActionServices } from './actions/action.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { CallStore } from '../model/call-store.js'
import { causeOfOutcome } from '../model/termination.js'
import type { Call } from '../model/call.entity.js'
import type { Collected } from '../model/script-results.js'
import { collect } from './collect.js'
import type { ScriptStep } from '../model/call.schema.js'
import type { DurableWrites } from '../model/durable-writes.js'
import type { RouteDialer } from '../dialling/route-dialer.js'
import type { Answered } from '../model/script-results.js'
import { OutboundDial } from '../dialling/outbound-dial.js'
import { type FinalEvent, ScriptEnded, type StepOptions } from './script.js'
import type { DialStrategy } from '../dialling/dial-strategy.js'
import { Bridge } from '../bridge/bridge.js'
import type { StreamHost } from '../media-streams/stream-host.js'
import { secondsSince, topics } from '../../../infrastructure/observability/telemetry.js'
import type { RecoveredBridge } from '../bridge/recovered-bridge.js'
import { type Consulted, Transfer, tonesOfPerson, tonesOfVoiceAgent } from '../bridge/transfer.js'
import { type TransferRequest, partyOf, dialTarget } from '../bridge/transfer-target.js'

interface StageServices {
  readonly store: CallStore
  readonly routeDialer: RouteDialer
  readonly actions: ActionServices
  readonly writes: DurableWrites
  /** Aborted when the call ends. */
  readonly over: AbortSignal
  readonly log: Logger
  phoneNumber(call: Call): Promise<PhoneNumber | null>
  readonly note: (event: CallEventName, details: object) => void
  /** See {@link ScriptStore.endProgram}. */
  endScript(cause: string, finalEvent: FinalEvent | null): Promise<boolean>
  /** See {@link ActionContext.reportKeys}. */
  reportKeys(call: Call, keys: Collected, server: CallbackServer | null): Promise<void>
  /** See {@link ActionContext.reportAnswered}. */
  reportAnswered(call: Call, answered: Answered): Promise<void>
  /** See {@link ActionContext.replaceActions}. */
  replaceActions(call: Call, actions: ScriptStep[]): Promise<void>
  /** See {@link ActionContext.mayBegin}. */
  mayBegin(route: Route): Promise<LegRefusal | null>
  /** The script leg has just been answered. */
  answered(): void
  readonly changeStatus: (transition: 'bridge' | 'unbridge') => void
  /** The script leg has been bridged. */
  bridgeBegan(bridge: Bridge): void
  /** See {@link TalkOptions.borneBy}. */
  primaryChanged(now: AnsweredLeg): void
  /** See {@link TalkOptions.lineReplaced}. */
  lineReplaced(before: AnsweredLeg, now: AnsweredLeg): void
}

const endlessSilence = 'silence_stream://-1'

export class CallActionContext {
  private dialling: OutboundDial | undefined
  private lastFailure: Outcome | null = null
  private resuming: boolean
  private current: { bridge: Bridge; ends: AbortSignal; transfer: Transfer | undefined } | undefined

  constructor(
    private readonly call: Call,
    private lastLine: AnsweredLeg,
    private resume: ResumePoint | null,
    private readonly services: StageServices,
  ) {
    this.resuming = resume !== null && resume.bridge !== null
  }

  /** Hangup cause for a caller whose dial failed; null when nothing was dialled. */
  get causeOfFailure(): string | null {
    return this.lastFailure === null ? null : causeOfOutcome(this.lastFailure)
  }

  /** The channel that the script runs on; another one after a transfer has replaced the script leg. */
  get line(): Channel {
    return (this.bridge?.line ?? this.lastLine).channel
  }

  /** The call as its streams see it. */
  get streamHost(): StreamHost {
    const { over, note } = this.services
    return { call: this.call, line: () => this.line, over, note }
  }

  /** What runs in the background of the script and keeps its leg up. */
  get background() {
    const { id } = this.call
    const { streams } = this.services.actions
    return {
      isAwaited: () => streams.isAwaited(id),
      release: () => streams.release(id),
      untilOver: async (signal: AbortSignal) => this.inSilence(async () => streams.untilOver(id, signal)),
    }
  }

  /** Plays silence on the leg meanwhile: carriers and phones give up a call without media. */
  private async inSilence<T>(work: () => Promise<T>): Promise<T> {
    const { line } = this
    // The playback of the previous process is endless.
    if (this.takeResume()?.playback === 'running') await line.park()
    const over = new AbortController()
    const silence = line.play(endlessSilence, over.signal).catch(() => undefined)
    try {
      return await line.whileUp(work)
    } finally {
      over.abort()
      await silence
    }
  }

  /** Channels other than the primary leg's. */
  get channelIds(): string[] {
    const talking = this.bridge?.reached.map(({ channel }) => channel.id) ?? []
    return [...(this.dialling?.channelIds ?? []), ...talking]
  }

  get legs(): readonly CallLeg[] {
    return this.bridge?.reached.map(({ leg }) => leg) ?? []
  }

  /** The bridge of the script leg, while there is one. */
  get bridge(): Bridge | undefined {
    return this.current?.bridge
  }

  /** True if the previous process left a bridge that is about to be resumed. */
  get isResuming(): boolean {
    return this.resuming
  }

  /** The transfer in progress. */
  get transfer(): Transfer | undefined {
    return this.current?.transfer
  }

  /** See {@link LiveCall.handOver}. */
  async handOver(request: TransferRequest, strategy?: DialStrategy): Promise<Transfer | null> {
    if (!this.current || this.current.bridge.isOver || this.current.transfer) return null
    this.services.note('call.transfer', { status: 'initiated', ...timelineOf(request) })
    const transfer = this.runTransfer(request, null, strategy)
    await transfer?.begun
    return transfer ?? null
  }

  /** The script's position is stored on the channel: it matters only while the channel lives. */
  async mark(variables: Readonly<Record<string, string>>): Promise<void> {
    this.resume = null
    this.resuming = false
    if (this.line.end) throw new ChannelEndedError(this.line.end)
    try {
      await this.line.setVariables({ jackfield_ran_out: '', ...variables, playback_ms: '' })
    } catch (error) {
      if (error instanceof SwitchRefusedError) throw new ChannelEndedError(await this.line.untilEnded())
      throw error
    }
  }

  async nameCaller(name: string): Promise<void> {
    this.call.from_name = name
    void this.services.writes.add(async () => this.services.store.nameCaller(this.call, name))
    await this.line.setText('effective_caller_id_name', dialledName(name))
  }

  context(signal: AbortSignal, options: StepOptions = {}): ActionContext {
    const { autoAnswer = true, untilKey = false, isLast = false, finalEvent, explain } = options
    const { call } = this
    const line = () => this.line
    return {
      ...this.services.actions,
      ...{ call, signal, isLast, workspace: { id: call.workspace_id } },
      get line() {
        return line()
      },
      phoneNumber: async () => this.services.phoneNumber(call),
      open: async (answer = autoAnswer) => this.open(answer),
      play: async (file) => (untilKey ? this.playUntilKey(file, signal) : this.play(file, signal)),
      playInBackground: async (file) => this.line.playInBackground(file),
      collect: async (options) => collect(this.line, options, signal),
      inSilence: async (work) => this.inSilence(work),
      reportAnswered: async (answered) => this.services.reportAnswered(call, answered),
      replaceActions: async (actions) => this.services.replaceActions(call, actions),
      connect: async (route, { ringback, ...options }) =>
        this.join<ConnectOutcome>(
          async ({ dial, withRingback }) => withRingback(ringback, async () => dial(route, options)),
          signal,
        ),
      join: async (strategy) => this.join(strategy, signal),
      reportKeys: async (keys, server) => this.services.reportKeys(call, keys, server),
      mayBegin: async (route) => this.services.mayBegin(route),
      stream: async (settings) =>
        this.services.actions.streams.begin(this.streamHost, settings, this.resume !== null),
      hangUp: async (cause) => this.hangUp(cause, finalEvent ?? null),
      note: this.services.note,
      fail: (why) => {
        explain?.(why.explanation)
        return 'failed'
      },
    }
  }

  private async open(answer: boolean): Promise<void> {
    // A late offer: the far end gets no early media before the answer.
    if (!answer && !this.line.offersLate) return this.line.openEarlyMedia()
    await this.answer()
  }

  private async answer(): Promise<void> {
    if (this.call.answered_at !== null) return
    if (this.line.state !== 'answered') await this.line.answer()
    this.services.answered()
    // The limit of an unanswered call no longer applies.
    await this.line.limit(this.call.max_duration, 'ALLOTTED_TIMEOUT')
  }

  /** @throws {ScriptEnded} when other actions have just replaced the action that hangs up */
  private async hangUp(cause: string, finalEvent: FinalEvent | null): Promise<never> {
    if (!this.line.end && !(await this.endScript(cause, finalEvent))) throw new ScriptEnded()
    await this.line.hangUp(cause)
    throw new ChannelEndedError(
      this.line.end ?? { hangupCause: cause, sipCode: null, answeredAt: null, endedAt: new Date() },
    )
  }

  /** Without the database no new actions can be accepted either: hang up all the same. */
  private async endScript(cause: string, finalEvent: FinalEvent | null): Promise<boolean> {
    try {
      return await this.services.endScript(cause, finalEvent)
    } catch (error) {
      this.services.log.warn(
        { event: 'call.hung_up_without_database', err: error },
        'a call is hung up, although the database is unreachable',
      )
      if (finalEvent) this.services.note(finalEvent.event, finalEvent.details)
      return true
    }
  }

  private async play(file: string, signal: AbortSignal): Promise<void> {
    const resume = this.takeResume()
    if (resume?.playback === 'ended' || signal.aborted) return
    if (resume?.playback === 'running') await this.line.finishPlaying(signal)
    else if (!(await this.line.play(file, signal)) && !signal.aborted) {
      this.services.log.warn({ event: 'call.playback_failed', file }, 'the switch could not play a file')
    }
  }

  private async playUntilKey(file: string, signal: AbortSignal): Promise<void> {
    const { line } = this
    const pressed = new AbortController()
    const press = () => pressed.abort()
    line.on('digit', press)
    if (line.keys.any) press()
    try {
      await this.play(file, AbortSignal.any([signal, pressed.signal]))
    } finally {
      line.off('digit', press)
    }
  }

  private async join<O extends Outcome>(
    strategy: DialStrategy<O>,
    signal: AbortSignal,
  ): Promise<O | ConnectOutcome> {
    const { store, writes, routeDialer, over, changeStatus, actions } = this.services
    // A call being connected no longer waits for its background stream.
    actions.streams.release(this.call.id)
    const link = new OutboundDial(this.call, this.line, store, writes)
    this.dialling = link
    const ends = AbortSignal.any([signal, over])
    try {
      const resume = this.takeResume()
      const waiting = resume?.bridge
      // The ringback of the previous process is endless.
      if (!waiting && resume?.playback === 'running') await this.line.finishPlaying(AbortSignal.abort())
      const reached = waiting?.other ?? (await link.ring(routeDialer, strategy, ends))
      if (typeof reached === 'string') {
        this.lastFailure = reached
        return reached
      }
      await this.answer().catch(async (error: unknown) => {
        await reached.channel.hangUp('ORIGINATOR_CANCEL')
        throw error
      })
      changeStatus('bridge')
      await this.bridgeWith(reached, waiting ?? null, ends)
      // The B-leg's hangup may arrive before that of a caller who has left: start no further step for that caller.
      await this.line.untilParked()
      this.line.keys.take()
      changeStatus('unbridge')
      return 'completed'
    } finally {
      this.dialling = undefined
      this.resuming = false
    }
  }

  private async bridgeWith(
    other: AnsweredLeg,
    waiting: RecoveredBridge | null,
    ends: AbortSignal,
  ): Promise<void> {
    const { services } = this
    const { store, writes } = services
    const own = this.lastLine
    const sides =
      waiting?.found.primarySide === 'destination'
        ? { line: other, destination: own }
        : { line: own, destination: other }
    const bridge = new Bridge(sides, {
      isVideo: this.call.is_video,
      primaryChanged: (now) => services.primaryChanged(now),
      lineReplaced: (before, now) => services.lineReplaced(before, now),
      legAnswered: ({ leg }, at) => void writes.add(async () => store.legAnswered(leg, at)),
      legEnded: ({ leg }, end) => {
        // A leg that was moved to another call ends there.
        if (leg.call_id === this.call.id) void writes.add(async () => store.legEnded(leg, end))
      },
    })
    this.current = { bridge, ends, transfer: undefined }
    this.resuming = false
    const begun = performance.now()
    try {
      const over = bridge.run(waiting?.found ?? null, ends)
      this.services.bridgeBegan(bridge)
      if (waiting?.transfer) this.runTransfer(waiting.transfer.request, waiting.transfer.consulted)
      await over
    } finally {
      const payload = { callId: this.call.id, otherLegId: other.leg.id }
      topics.bridgeEnded.publish({ ...payload, seconds: secondsSince(begun) })
      this.lastLine = bridge.line
      this.current = undefined
    }
  }

  private runTransfer(
    request: TransferRequest,
    consulted: Consulted | null,
    strategy?: DialStrategy,
  ): Transfer | undefined {
    const { current, dialling: link } = this
    if (!current || !link) return undefined
    const { bridge, ends } = current
    const { routeDialer, note, log } = this.services
    const call = shownBy(this.call, request.side)
    const context = { ...this.context(ends), call }
    const from = partyOf(bridge.at(request.side).leg)
    const transfer = new Transfer({
      ...{ bridge, signal: ends, mark: request, isVideo: this.call.is_video },
      tones: from?.kind === 'voice_agent' ? tonesOfVoiceAgent : tonesOfPerson,
      ring: async (signal, waits) => {
        // A voice agent keeps the caller when no member is free.
        const isQueued = !request.consult && from?.kind !== 'voice_agent'
        const queue = isQueued ? { except: from?.kind === 'agent' ? from.id : null, waits } : null
        const dial = { reason: request.reason, queue }
        return link.ring(routeDialer, strategy ?? dialTarget(context, request.target, dial), signal, call)
      },
      ringBack: async (signal) =>
        from ? link.ring(routeDialer, dialTarget(context, from, null), signal, call) : 'offline',
      drop: (reached) => link.drop(reached),
      threeWayBegan: () => note('call.transfer', { status: 'three_way', ...timelineOf(request) }),
    })
    current.transfer = transfer
    transfer
      .run(consulted)
      .then((status) => note('call.transfer', { status, ...timelineOf(request) }))
      .catch((error: unknown) => {
        if (!(error instanceof SwitchDownError))
          log.error({ event: 'transfer.failed', err: error }, 'a transfer failed')
      })
      .finally(() => {
        current.transfer = undefined
      })
    return transfer
  }

  private takeResume(): ResumePoint | null {
    const { resume } = this
    this.resume = null
    return resume
  }
}

/** The call as the target of a transfer sees it: the other party is the waiting side. */
function shownBy(call: Call, handedOver: Side): Call {
  if (handedOver === 'destination') return call
  return { ...call, line: call.line === 'called' ? 'caller' : 'called' }
}

/** Details of a transfer for the timeline. */
function timelineOf({ target, consult, by, reason }: TransferRequest): object {
  return {
    mode: consult ? 'consult' : 'blind',
    ...{ to: target, transferred_by: by },
    ...(reason !== null && { reason }),
  }
}
