/**
 * A running call. Everything that must survive a crash is in its rows and in its channels' variables; recovery rebuilds
 * the session from both (call-recovery.ts).
 */
import type { CallEnd } from '../model/call-end.js'
import type { ConnectOutcome, LegRefusal } from '../model/outcomes.js'
import { DialFailedError, type AnsweredLeg } from '../model/answered-leg.js'
import type { Route } from '../routing/route.js'
import type { ResumePoint } from '../script/resume-point.js'
import type { CallbackServer } from '../../../infrastructure/callbacks/callback-client.js'
import type { Logger } from 'pino'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { ChannelEndedError } from '../../../adapters/freeswitch/channel-end.js'
import { SwitchDownError } from '../../../adapters/freeswitch/errors.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { ActionServices } from '../script/actions/action.js'
import type { CreditWatch } from '../limits/credit-watch.js'
import type { CallEventName } from '../model/call-event.entity.js'
import type { CallLimits } from '../limits/call-limits.js'
import { eventOf } from '../model/call-events.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { isOfCallingApp } from '../model/app-user.js'
import {
  canceled,
  endOfCall,
  failureOf,
  failures,
  type Termination,
  transferCause,
  unanswered,
} from '../model/termination.js'
import type { ScriptStep } from '../model/call.schema.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { changeStatus } from '../model/call-state.js'
import type { Collected } from '../model/script-results.js'
import { CallActionContext } from '../script/call-action-context.js'
import { DurableWrites } from '../model/durable-writes.js'
import { movePartnerFrom, pairIn } from '../bridge/partner-move.js'
import { monitoredBridge } from '../bridge/monitored.js'
import type { Answered } from '../model/script-results.js'
import type { MonitoredAgent } from '../bridge/monitored.js'
import type { PartnerMove } from '../bridge/partner-move.js'
import { type LiveCall, type Partner, type ScriptedCall, notBefore } from './live-call.js'
import type { Flows } from '../script/script.js'
import { ScriptRunner, type ScriptStore } from '../script/script-runner.js'
import { isFree } from '../../rates/rating.js'
import { sumOf } from '../../../lib/money.js'
import type { EndedLegs } from '../model/ended-legs.js'
import { costSoFar, largestIncrement } from '../model/locked-legs.js'
import { recordOutbound, recordingFailure } from './outbound-recording.js'
import type { RouteDialer } from '../dialling/route-dialer.js'
import { drop } from '../dialling/release-leg.js'
import type { Explanation } from '../model/no-route.js'
import { refuseChannel } from './refusal.js'
import type { SipRefusal } from '../../../adapters/stir-shaken/caller-verification.js'
import type { CallDialer, DialStrategy } from '../dialling/dial-strategy.js'
import type { Bridge } from '../bridge/bridge.js'
import { TimelineNotes } from '../model/timeline-notes.js'
import type { Transfer } from '../bridge/transfer.js'
import type { TransferRequest } from '../bridge/transfer-target.js'
import { tracingContexts } from '../../../infrastructure/observability/tracing-contexts.js'

export interface SessionServices {
  readonly store: CallStore
  readonly scripts: ScriptStore
  readonly flows: Flows
  readonly routeDialer: RouteDialer
  readonly actions: ActionServices
  /** The number that a call is made from or came in on; null if it was deleted. */
  phoneNumber(call: Call): Promise<PhoneNumber | null>
  /** See ActionContext. */
  reportKeys(call: Call, keys: Collected, server: CallbackServer | null): Promise<void>
  /** See ActionContext. */
  reportAnswered(call: Call, answered: Answered): Promise<void>
  /** See ActionContext. */
  replaceActions(call: Call, actions: ScriptStep[]): Promise<void>
  readonly credit: CreditWatch
  readonly limits: Pick<CallLimits, 'overRate'>
  readonly endedLegs: Pick<EndedLegs, 'costOf'>
  readonly switchboard: Pick<Switchboard, 'handOn'>
  readonly log: Logger
  /** The script leg has been bridged. */
  onBridge(session: LiveCall, bridge: Bridge): void
  /** A call that the switch bridged is driven by another session from now on. */
  onDriven(session: LiveCall): void
  /** Called once, when the end of the call is persisted. */
  onEnded(session: LiveCall, how: Termination): void
}

/** Why an inbound call is rejected, and with which answer. */
export interface RefusedPlan {
  /** Hang-up cause. */
  refusal: string
  /** SIP answer to the caller, instead of the one that the cause maps to. */
  answer?: SipRefusal
  /** For the timeline. */
  why?: Explanation
}

/** Events that are recorded even after the caller has hung up. */
const recordedAfterEnd: ReadonlySet<CallEventName> = new Set(['call.callback', 'call.tool', 'call.stream'])

export class CallSession implements ScriptedCall {
  readonly kind = 'scripted'
  private readonly writes: DurableWrites
  private readonly over = new AbortController()
  /** The leg whose end ends the call: the script leg or, while bridged, the primary leg. */
  private line: AnsweredLeg | undefined
  private readonly followed = new WeakSet<Channel>()
  /** Channels of all destinations that are or were dialled. */
  private readonly rung = new Set<Channel>()
  private actionContext: CallActionContext | undefined
  private runner: ScriptRunner | undefined
  private finished = false
  private refused: RefusedPlan | undefined
  /** The leg that it connected continues in another call. */
  private partnerMoved = false
  private readonly notes: TimelineNotes

  constructor(
    readonly call: Call,
    private readonly services: SessionServices,
  ) {
    this.writes = new DurableWrites(services.log, call.id)
    this.notes = new TimelineNotes((notes) => {
      void this.writes.add(async () => services.store.note(...notes))
    })
  }

  /** Dials the called party; resolves when the first INVITE has been sent. */
  async place(strategy: DialStrategy<ConnectOutcome>, first = 0): Promise<void> {
    return tracingContexts.call.run({ callId: this.call.id }, async () => this.placed(strategy, first))
  }

  private async placed(strategy: DialStrategy<ConnectOutcome>, first: number): Promise<void> {
    return new Promise((resolve, reject) => {
      strategy(this.dialer(first, resolve))
        .then((found) => {
          if (typeof found === 'string') this.notReached(new DialFailedError(failureOf(found), new Date()))
          else this.reached(found)
          resolve()
        })
        .catch((error: unknown) => {
          this.notReached(error)
          if (this.rung.size > 0 || error instanceof DialFailedError) resolve()
          else reject(error instanceof Error ? error : new Error(String(error)))
        })
    })
  }

  /** Dials the party that becomes the script leg. */
  private dialer(first: number, dialled: () => void): CallDialer {
    const { signal: over } = this.over
    return {
      signal: over,
      dial: async (route, { ringTimeout, callerName = this.call.from_name, signal, teamId }) =>
        this.services.routeDialer.dial(this.call, route, {
          ...this.routeDialOptions(ringTimeout),
          ...{ callerName, first, ...(teamId !== undefined && { teamId }) },
          // Client apps have no leg until they connect; recovery detects this by status = ringing.
          onRinging: (sipCode, at) => void this.ringing(sipCode, at).then(dialled),
          signal: signal ? AbortSignal.any([signal, over]) : over,
          onDialed: (_leg, channel) => {
            this.rung.add(channel)
            dialled()
          },
        }),
      drop: (reached) => drop(reached, this.services.store, this.writes),
      // There is no caller to play it to.
      withRingback: async (_file, work) => work(),
    }
  }

  /** Continues to wait for a leg that the previous process dialled. */
  awaitAnswer(leg: CallLeg, channel: Channel, ringTimeout: number): void {
    this.rung.add(channel)
    this.services.routeDialer
      .await([{ leg, channel }], this.routeDialOptions(ringTimeout))
      .then((reached) => this.reached(reached))
      .catch((error: unknown) => this.notReached(error))
  }

  /**
   * Waits for the app that makes the call; the script then runs on its leg.
   * @param seconds until it is given up
   */
  awaitApp(route: Route, seconds: number): void {
    this.services.routeDialer
      .dial(this.call, route, { ...this.routeDialOptions(seconds), role: 'caller' })
      .then((app) => {
        const at = app.channel.answeredAt ?? new Date()
        app.leg.answered_at = at
        void this.writes.add(async () => this.services.store.legAnswered(app.leg, at))
        void this.ringing(180, at)
        this.begin(app)
      })
      .catch((error: unknown) => {
        if (error instanceof SwitchDownError) return
        if (!(error instanceof DialFailedError))
          this.services.log.error(
            { event: 'call.app_wait_failed', err: error, call: this.call.id },
            'waiting for the app that makes a call failed',
          )
        this.finish({ ...canceled('caller'), endedAt: new Date() })
      })
  }

  /** Starts an inbound call: the script runs, and answers the caller when its first media is due. */
  begin(caller: AnsweredLeg): void {
    this.follow(caller)
    void this.runScript(caller, null)
  }

  /** Rejects an inbound call before anything is done for it. */
  refuse(caller: AnsweredLeg, plan: RefusedPlan): void {
    this.refused = plan
    this.follow(caller)
    void refuseChannel(caller.channel, plan.refusal, plan.answer).catch(() => undefined)
  }

  /** Recovers a call whose script the previous process ran. */
  recover(line: AnsweredLeg, resume: ResumePoint): void {
    this.follow(line)
    const isAnswered = line.channel.state === 'answered' && !isOfCallingApp(line.leg)
    if (isAnswered && this.call.answered_at === null) this.writeAnswer(line)
    if (this.call.answered_at) void recordOutbound(this.call, line.channel, this.services, this.writes)
    void this.runScript(line, resume)
  }

  replaceScript(script: ScriptStep[], revision: number): void {
    if (revision > this.call.script_revision) this.runner?.replace(script, revision)
  }

  actionsPushed(): void {
    this.runner?.push()
  }

  async hangUp(cause: string): Promise<void> {
    if (this.line) {
      await this.line.channel.hangUp(this.call.answered_at ? cause : 'CALL_REJECTED')
    } else this.over.abort()
  }

  lose(end: ChannelEnd): void {
    this.channel?.finish(end)
  }

  abandon(): void {
    // Another session writes the rest.
    this.finished = true
    this.over.abort()
  }

  get channel(): Channel | undefined {
    return this.line?.channel ?? [...this.rung].find(({ end }) => !end)
  }

  get channelIds(): string[] {
    const rung = [...this.rung].filter(({ end }) => !end).map(({ id }) => id)
    const line = this.line ? [this.line.channel.id] : []
    return [...new Set([...line, ...rung, ...(this.actionContext?.channelIds ?? [])])]
  }

  get bridge(): Bridge | undefined {
    return this.actionContext?.bridge
  }

  get isResuming(): boolean {
    return this.actionContext?.isResuming ?? false
  }

  get transfer(): Transfer | undefined {
    return this.actionContext?.transfer
  }

  monitored(): MonitoredAgent[] {
    const { bridge } = this
    if (!bridge) return []
    return [monitoredBridge(bridge, 'destination'), monitoredBridge(bridge, 'line')].filter(
      (one) => one !== null,
    )
  }

  async handOver(request: TransferRequest, strategy?: DialStrategy): Promise<Transfer | null> {
    return (await this.actionContext?.handOver(request, strategy)) ?? null
  }

  partnerOf(channelId: string): Partner | null {
    const { bridge } = this
    const pair = bridge && !this.transfer && pairIn(bridge, channelId)
    return pair ? { leg: pair.partner.leg, isCalled: pair.phone.leg.role === 'caller' } : null
  }

  async movePartner(channelId: string, move: PartnerMove): Promise<AnsweredLeg | null> {
    await this.settled()
    const { bridge } = this
    const pair = bridge && !this.transfer && pairIn(bridge, channelId)
    if (!pair) return null
    const write = async (leg: CallLeg) => {
      const callId = await move.write(leg)
      this.partnerMoved = true
      return callId
    }
    return movePartnerFrom(this.call, bridge, pair, { ...move, write }, this.services)
  }

  costAt(now: Date): number {
    const { livingLegs } = this
    return sumOf([
      ...livingLegs.map((leg) => costSoFar(leg, now)),
      this.services.endedLegs.costOf(this.call.id, livingLegs),
    ])
  }

  get increment(): number {
    return largestIncrement(this.livingLegs)
  }

  private get livingLegs(): readonly (CallLeg | undefined)[] {
    return [this.line?.leg, ...(this.actionContext?.legs ?? [])]
  }

  async settled(): Promise<void> {
    this.notes.flush()
    await this.writes.settled()
  }

  private async mayBegin({ rate, audio }: Route): Promise<LegRefusal | null> {
    // An app's call was counted when it was accepted: call and leg are one.
    const isOwn = this.call.answered_at === null && this.line !== undefined && isOfCallingApp(this.line.leg)
    const isCounted = !isOwn && !audio && !isFree(rate)
    if (isCounted && (await this.services.limits.overRate({ id: this.call.workspace_id })) !== null)
      return 'failed'
    return (await this.services.credit.hold(this, rate)) ? null : 'no_credit'
  }

  private routeDialOptions(ringTimeout: number) {
    return {
      role: 'called',
      callerName: this.call.from_name,
      ringTimeout,
      maxDuration: this.call.max_duration,
      afterBridge: 'park',
      signal: this.over.signal,
      onRinging: (sipCode: number, at: Date) => void this.ringing(sipCode, at),
    } as const
  }

  /** A call rings once, however many gateways are tried. */
  private async ringing(sipCode: number, at: Date): Promise<void> {
    if (!changeStatus(this.call, 'ring')) return
    const when = notBefore(this.call.created_at, at)
    await this.writes.add(async () => this.services.store.ringing(this.call, sipCode, when))
  }

  private reached(reached: AnsweredLeg): void {
    this.follow(reached)
    this.writeAnswer(reached)
    void recordOutbound(this.call, reached.channel, this.services, this.writes)
    void this.runScript(reached, null)
  }

  private writeAnswer({ leg, channel }: AnsweredLeg): void {
    // The leg of a calling app is up before anyone has answered.
    const answeredAt = isOfCallingApp(leg) ? null : channel.answeredAt
    const at = notBefore(this.call.created_at, answeredAt ?? new Date())
    this.call.answered_at = at
    changeStatus(this.call, 'answer')
    leg.answered_at = at
    void this.writes.add(async () => this.services.store.answered(this.call, leg, at))
  }

  private follow(line: AnsweredLeg): void {
    const { channel } = line
    this.line = line
    if (!this.followed.has(channel)) {
      this.followed.add(channel)
      channel.once('ended', (end) => {
        if (this.line?.channel === channel) this.lineEnded(end)
      })
    }
    if (channel.end) this.lineEnded(channel.end)
  }

  private primaryChanged(now: AnsweredLeg): void {
    this.follow(now)
    const spentMs = Date.now() - (this.call.answered_at ?? new Date()).getTime()
    const secondsLeft = Math.max(1, this.call.max_duration - Math.floor(spentMs / 1000))
    void now.channel.limit(secondsLeft, 'ALLOTTED_TIMEOUT').catch(() => undefined)
  }

  private notReached(error: unknown): void {
    // Without the event socket nothing is known: recovery finds the call again after the next connection.
    if (error instanceof SwitchDownError || (this.rung.size === 0 && !(error instanceof DialFailedError)))
      return
    if (!(error instanceof DialFailedError))
      this.services.log.error(
        { event: 'call.dial_failed', err: error, call: this.call.id },
        'dialling failed',
      )
    const failure = error instanceof DialFailedError ? error.failure : failures.internal
    this.finish({
      ...unanswered(failure),
      ...(this.over.signal.aborted && { ...canceled('server'), sipCode: failure.sipCode }),
      endedAt: error instanceof DialFailedError ? error.endedAt : new Date(),
    })
  }

  private lineEnded(end: ChannelEnd): void {
    this.over.abort()
    const primary = this.line?.leg
    // A leg that was moved to another call ends there.
    const leg = primary?.call_id === this.call.id ? primary : undefined
    if (this.finished && leg) void this.writes.add(async () => this.services.store.legEnded(leg, end))
    const how = endOfCall(this.call, primary, end)
    this.finish(this.partnerMoved ? { ...how, hangupCause: transferCause } : how, leg && { leg, end })
  }

  private finish(end: CallEnd, line?: { leg: CallLeg; end: ChannelEnd }): void {
    if (this.finished) return
    this.finished = true
    const endedAt = notBefore(this.call.answered_at ?? this.call.created_at, end.endedAt)
    const notes = this.notes.take()
    const notifiedAt = notBefore(this.notes.latest, endedAt)
    const { answer, refusal: hangupCause, why } = this.refused ?? {}
    // The switch has no cause for most answers.
    const refused = answer && hangupCause && { hangupCause, sipCode: answer.sipCode }
    void this.writes
      .add(async () => {
        await this.services.store.ended(
          this.call,
          { ...end, ...refused, endedAt, notifiedAt, why },
          line,
          notes,
        )
      })
      .then(() => this.services.onEnded(this, { ...end, ...refused }))
  }

  private async runScript(line: AnsweredLeg, resume: ResumePoint | null): Promise<void> {
    return tracingContexts.call.run({ callId: this.call.id }, async () => this.runActions(line, resume))
  }

  private async runActions(line: AnsweredLeg, resume: ResumePoint | null): Promise<void> {
    const { scripts, flows } = this.services
    const log = this.services.log.child({ call: this.call.id })
    const actionContext = new CallActionContext(this.call, line, resume, {
      ...this.services,
      ...{ writes: this.writes, over: this.over.signal, log },
      note: (event, details) => this.note(event, details),
      endScript: async (cause, finalEvent) => {
        const at = (this.notes.latest = new Date())
        return scripts.endScript(this.call, cause, finalEvent && { ...finalEvent, at })
      },
      answered: () => this.lineAnswered(),
      mayBegin: async (route) => this.mayBegin(route),
      changeStatus: (transition) => this.changeStatus(transition),
      bridgeBegan: (bridge) => this.bridgeBegan(bridge),
      primaryChanged: (now) => this.primaryChanged(now),
      lineReplaced: (before, now) => {
        this.recordOn(before.channel, now.channel)
        this.services.actions.streams.goOn(this.call.id)
      },
    })
    this.actionContext = actionContext
    this.runner = new ScriptRunner(
      this.call,
      {
        ...{ store: scripts, flows, log, background: actionContext.background },
        mark: async (variables) => actionContext.mark(variables),
        context: (signal, options) => actionContext.context(signal, options),
        note: (event, details) => this.note(event, details),
        nameCaller: async (name) => actionContext.nameCaller(name),
      },
      resume,
    )
    try {
      if (resume) await this.services.actions.streams.recover(actionContext.streamHost)
      // A call that the switch bridged has no script, only its bridge.
      if (resume?.bridge && this.call.program === 'over' && this.call.hangup_cause === null) {
        await actionContext.context(this.over.signal).join(async () => Promise.resolve('offline'))
      }
      await this.runner.run()
      // The previous process may have got this far.
      const ownCause = this.call.answered_at ? null : actionContext.causeOfFailure
      await actionContext.line.hangUp(this.call.hangup_cause ?? ownCause ?? 'NORMAL_CLEARING')
    } catch (error) {
      if (error instanceof ChannelEndedError || error instanceof SwitchDownError) return
      log.error({ event: 'script.failed', err: error }, 'program failed')
      await actionContext.line.hangUp(failures.internal.hangupCause).catch(() => undefined)
    }
  }

  /** The script has answered its leg. */
  private lineAnswered(): void {
    if (!this.line || this.call.answered_at !== null) return
    this.writeAnswer(this.line)
    void recordOutbound(this.call, this.line.channel, this.services, this.writes)
  }

  private bridgeBegan(bridge: Bridge): void {
    const { store } = this.services
    const held = () => {
      const at = new Date()
      const { isParted } = bridge
      void this.writes.add(async () => store.setHeld(this.call, isParted, at))
    }
    bridge.on('held', held)
    bridge.on('unheld', held)
    bridge.on('over', () => {
      const at = new Date()
      void this.writes.add(async () => store.setHeld(this.call, false, at))
    })
    this.services.onBridge(this, bridge)
  }

  private recordOn(before: Channel, now: Channel): void {
    const { actions, log } = this.services
    actions.recorder.goOn(this.call, before, now).catch((error: unknown) => {
      log.warn(
        { event: 'recording.not_continued', err: error, call: this.call.id },
        'the recording of a call failed to continue',
      )
      this.note('call.action', recordingFailure(error))
    })
  }

  note(event: CallEventName, details: object): void {
    if (this.finished && !recordedAfterEnd.has(event)) return
    this.notes.add(eventOf(this.call, event, new Date(), { details }))
  }

  private changeStatus(transition: 'bridge' | 'unbridge'): void {
    if (this.finished || this.call.answered_at === null) return
    changeStatus(this.call, transition)
    void this.writes.add(async () => this.services.store.bridged(this.call, transition))
  }
}
