/**
 * A running call. What must survive is in its rows and in the variables of its channels; the session
 * can be built again from both (call-recovery.ts).
 */
import type { Logger } from 'pino'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { Channel, ChannelEnd } from '../switch/channel.js'
import { ChannelEndedError } from '../switch/channel.js'
import { SwitchDownError } from '../switch/errors.js'
import type { ActionContext, ActionServices } from './actions/action.js'
import type { CallLeg } from './call-leg.entity.js'
import { answeredSipCode, statusOfFailure } from './call-outcome.js'
import type { Route } from './call-routing.js'
import type { CallAction } from './call.schema.js'
import type { CallEnd, CallStore } from './call-store.js'
import type { Call } from './call.entity.js'
import { DurableWrites } from './durable-writes.js'
import { type LiveCall, notBefore } from './live-call.js'
import { OperatorLink } from './operator-link.js'
import { costOf } from './rating.js'
import { type ScriptPosition, ScriptRunner } from './script-runner.js'
import { DialFailedError, type Reached, type Hunt } from './hunt.js'

export interface SessionServices {
  readonly store: CallStore
  readonly hunt: Hunt
  readonly actions: ActionServices
  /** The number that a call goes out with; null when it is gone. */
  phoneNumber(call: Call): Promise<PhoneNumber | null>
  readonly log: Logger
  /** Called once, when the call's end is written. */
  onEnded(session: LiveCall): void
}

/** What an earlier process left in the middle of an action. */
export interface ResumePoint {
  position: ScriptPosition
  /** The action's playback: it still runs, it has ended, or there was none. */
  playback: 'running' | 'ended' | 'none'
  /** Somebody whom the call is bridged with. */
  operator: Reached | null
}

export class CallSession implements LiveCall {
  private readonly writes: DurableWrites
  private readonly over = new AbortController()
  private called: Reached | undefined
  private dialing: Channel | undefined
  private operator: OperatorLink | undefined
  private runner: ScriptRunner | undefined
  private resume: ResumePoint | undefined
  private finished = false

  constructor(
    readonly call: Call,
    private readonly services: SessionServices,
  ) {
    this.writes = new DurableWrites(services.log)
  }

  /** Calls the party that the call is made to; resolves when the first INVITE is on its way. */
  async place(route: Route, ringTimeout: number, first = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      this.services.hunt
        .reach(this.call, route, {
          ...this.huntOptions(ringTimeout),
          first,
          onDialed: (_leg, channel) => {
            this.dialing = channel
            resolve()
          },
        })
        .then((reached) => this.answered(reached))
        .catch((error: unknown) => {
          this.notReached(error)
          if (this.dialing || error instanceof DialFailedError) resolve()
          else reject(error instanceof Error ? error : new Error(String(error)))
        })
    })
  }

  /** Goes on waiting for a leg that an earlier process dialled. */
  awaitAnswer(leg: CallLeg, channel: Channel, ringTimeout: number): void {
    this.dialing = channel
    this.services.hunt
      .await(leg, channel, this.huntOptions(ringTimeout))
      .then((reached) => this.answered(reached))
      .catch((error: unknown) => this.notReached(error))
  }

  /** Takes up a call that an earlier process answered. */
  takeUp(reached: Reached, resume: ResumePoint): void {
    this.resume = resume
    this.follow(reached)
    if (this.call.answered_at === null) this.writeAnswer(reached)
    void this.runScript(reached.channel, resume.position, true)
  }

  replaceScript(script: CallAction[], revision: number): void {
    this.runner?.replace(script, revision)
  }

  async hangUp(cause: string): Promise<void> {
    if (this.called) await this.called.channel.hangUp(cause)
    else this.over.abort()
  }

  lose(end: ChannelEnd): void {
    ;(this.called?.channel ?? this.dialing)?.finish(end)
  }

  get channel(): Channel | undefined {
    return this.called?.channel ?? this.dialing
  }

  get channelIds(): string[] {
    return [this.channel?.id, this.operator?.channelId].flatMap((id) => (id ? [id] : []))
  }

  costAt(now: Date): number {
    const legs = [this.called?.leg, this.operator?.leg]
    return legs.reduce((sum, leg) => {
      if (!leg?.answered_at) return sum
      return sum + costOf((now.getTime() - leg.answered_at.getTime()) / 1000, leg.fee_per_minute)
    }, 0)
  }

  async settled(): Promise<void> {
    await this.writes.settled()
  }

  private huntOptions(ringTimeout: number) {
    return {
      role: 'called',
      callerName: this.call.from_name,
      ringTimeout,
      maxDuration: this.call.max_duration,
      afterBridge: 'park',
      signal: this.over.signal,
      onRinging: (sipCode: number, at: Date) => this.ringing(sipCode, at),
    } as const
  }

  /** The call rings once, however many addresses are tried. */
  private ringing(sipCode: number, at: Date): void {
    if (this.call.status !== 'created') return
    this.call.status = 'ringing'
    const when = notBefore(this.call.created_at, at)
    void this.writes.add(async () => this.services.store.ringing(this.call, sipCode, when))
  }

  private answered(reached: Reached): void {
    this.follow(reached)
    this.writeAnswer(reached)
    void this.runScript(reached.channel, { revision: this.call.script_revision, index: 0 }, false)
  }

  private writeAnswer({ leg, channel }: Reached): void {
    const at = notBefore(this.call.created_at, channel.answeredAt ?? new Date())
    this.call.answered_at = at
    this.call.status = 'started'
    leg.answered_at = at
    void this.writes.add(async () => this.services.store.answered(this.call, leg, at))
  }

  private follow(reached: Reached): void {
    this.called = reached
    reached.channel.once('ended', (end) => this.calledEnded(end))
    if (reached.channel.end) this.calledEnded(reached.channel.end)
  }

  private notReached(error: unknown): void {
    // Without the link nothing is known: the next one finds the call again.
    if (error instanceof SwitchDownError || (!this.dialing && !(error instanceof DialFailedError))) return
    if (!(error instanceof DialFailedError))
      this.services.log.error({ err: error, call: this.call.id }, 'dialling failed')
    const failure =
      error instanceof DialFailedError
        ? error.failure
        : { hangupCause: 'NORMAL_TEMPORARY_FAILURE', sipCode: null }
    this.finish({
      status: this.over.signal.aborted ? 'canceled' : statusOfFailure(failure),
      hangupCause: this.over.signal.aborted ? 'ORIGINATOR_CANCEL' : failure.hangupCause,
      sipCode: failure.sipCode,
      endedAt: error instanceof DialFailedError ? error.endedAt : new Date(),
    })
  }

  private calledEnded(end: ChannelEnd): void {
    this.over.abort()
    const leg = this.called?.leg
    if (leg) void this.writes.add(async () => this.services.store.legEnded(leg, end))
    this.finish({
      status: 'completed',
      hangupCause: end.hangupCause,
      sipCode: answeredSipCode,
      endedAt: end.endedAt,
    })
  }

  private finish(end: CallEnd): void {
    if (this.finished) return
    this.finished = true
    const endedAt = notBefore(this.call.answered_at ?? this.call.created_at, end.endedAt)
    void this.writes
      .add(async () => this.services.store.ended(this.call, { ...end, endedAt }))
      .then(() => this.services.onEnded(this))
  }

  private async runScript(channel: Channel, from: ScriptPosition, resumed: boolean): Promise<void> {
    const { log } = this.services
    this.runner = new ScriptRunner(this.call.script, from, {
      onStep: async (position) => this.markStep(channel, position),
      context: (signal) => this.context(channel, signal),
      log: log.child({ call: this.call.id }),
    })
    try {
      await this.runner.run(resumed)
      await channel.hangUp('NORMAL_CLEARING')
    } catch (error) {
      if (error instanceof ChannelEndedError || error instanceof SwitchDownError) return
      log.error({ err: error, call: this.call.id }, 'script failed')
      await channel.hangUp('NORMAL_TEMPORARY_FAILURE').catch(() => undefined)
    }
  }

  /** Where the script stands is kept with the channel: it matters as long as the channel lives. */
  private async markStep(channel: Channel, { revision, index }: ScriptPosition): Promise<void> {
    this.resume = undefined
    await channel.setVariables({ jackfield_step: `${revision}.${index}`, playback_ms: '' })
  }

  private context(channel: Channel, signal: AbortSignal): ActionContext {
    return {
      ...this.services.actions,
      workspace: { id: this.call.workspace_id },
      phoneNumber: async () => this.services.phoneNumber(this.call),
      play: async (file) => this.play(channel, file, signal),
      playInBackground: async (file) => channel.playInBackground(file),
      connect: async (route, options) => this.connect(channel, route, options, signal),
      hangUp: async (cause) => {
        await channel.hangUp(cause)
        throw new ChannelEndedError(
          channel.end ?? { hangupCause: cause, sipCode: null, answeredAt: null, endedAt: new Date() },
        )
      },
    }
  }

  private async play(channel: Channel, file: string, signal: AbortSignal): Promise<void> {
    const resume = this.takeResume()
    if (resume?.playback === 'ended' || signal.aborted) return
    if (resume?.playback === 'running') await channel.finishPlaying(signal)
    else if (!(await channel.play(file, signal)) && !signal.aborted) {
      this.services.log.warn({ call: this.call.id, file }, 'the switch could not play it')
    }
  }

  private async connect(
    channel: Channel,
    route: Route,
    options: { ringTimeout: number; ringback: string | null },
    signal: AbortSignal,
  ): Promise<boolean> {
    const link = new OperatorLink(this.call, channel, this.services.store, this.writes)
    this.operator = link
    const ends = AbortSignal.any([signal, this.over.signal])
    try {
      const waiting = this.takeResume()?.operator
      const reached = waiting ?? (await link.ring(this.services.hunt, route, options, ends))
      if (!reached) return false
      this.writeStatus('active')
      await link.talk(reached, waiting !== undefined && waiting !== null, ends)
      this.writeStatus('started')
      return true
    } finally {
      this.operator = undefined
    }
  }

  private writeStatus(status: 'started' | 'active'): void {
    if (this.finished) return
    this.call.status = status
    void this.writes.add(async () => this.services.store.setStatus(this.call, status))
  }

  private takeResume(): ResumePoint | undefined {
    const resume = this.resume
    this.resume = undefined
    return resume
  }
}
