/**
 * A call from a phone. The switch bridges both ends by itself (see `Switchboard.dialFor`); the session only finds the
 * route, records what happens, and ends the call. It can be rebuilt at any moment (phone-recovery.ts). When one side
 * transfers the call, a `CallSession` drives it from then on.
 */
import { DialFailedError, type AnsweredLeg } from '../model/answered-leg.js'
import type { Route } from '../routing/route.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { SwitchDownError, SwitchRefusedError } from '../../../adapters/freeswitch/errors.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { endOfBridgedCall, failures, transferCause } from '../model/termination.js'
import { CallSession, type SessionServices } from './call-session.js'
import { CallGoneError } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { changeStatus } from '../model/call-state.js'
import { DurableWrites } from '../model/durable-writes.js'
import { passWhenHeard } from '../dialling/early-media.js'
import type { Explanation } from '../model/no-route.js'
import { monitoredPhone } from '../bridge/monitored.js'
import type { MonitoredAgent } from '../bridge/monitored.js'
import type { PartnerMove } from '../bridge/partner-move.js'
import { type Partner, type ScriptedCall, type SwitchBridgedCall, notBefore } from './live-call.js'
import { recordOutbound } from './outbound-recording.js'
import { costSoFar, largestIncrement } from '../model/locked-legs.js'

/** How long to wait for the end of the far leg after the caller has gone, in milliseconds. */
const farEndMs = 2_000

export class PhoneCall implements SwitchBridgedCall {
  readonly kind = 'switch_bridged'
  private readonly writes: DurableWrites
  private readonly over = new AbortController()
  private far: { leg: CallLeg; channel: Channel } | undefined
  private farOver: Promise<void> = Promise.resolve()
  private driving: Promise<ScriptedCall | null> | undefined
  /** Another session drives the call. */
  private isDriven = false
  /** The far end has moved to another call. */
  private partnerMoved = false
  private why: Explanation | undefined

  constructor(
    readonly call: Call,
    /** The calling phone, its channel parked or bridged. */
    private readonly caller: AnsweredLeg,
    private readonly services: SessionServices,
  ) {
    this.writes = new DurableWrites(services.log, call.id)
  }

  /** Dials the far end for the caller. */
  connect(route: Route, ringTimeout: number, first = 0): void {
    this.follow(
      this.services.routeDialer
        .dial(this.call, route, {
          ...this.routeDialOptions(ringTimeout),
          caller: this.caller.channel,
          first,
        })
        .then(async (reached) => this.join(reached)),
    )
  }

  /** Continues to wait for a far end that the previous process dialled, over one leg or several at once. */
  awaitAnswer(dialled: readonly AnsweredLeg[], ringTimeout: number): void {
    this.far = dialled.at(-1)
    const [only, ...others] = dialled
    if (only && others.length === 0) this.hearEarly(only.channel)
    this.follow(
      this.services.routeDialer
        .await(dialled, { ...this.routeDialOptions(ringTimeout), caller: this.caller.channel })
        .then(async (reached) => this.join(reached)),
    )
  }

  /** Recovers a bridge from before a restart; without `far` its far end has gone. */
  recover(far: AnsweredLeg | null): void {
    this.follow(far ? this.join(far) : this.caller.channel.hangUp('NORMAL_CLEARING'))
  }

  /**
   * Ends it before anything was dialled.
   * @param why for the timeline
   */
  refuse(cause: string, why?: Explanation): void {
    this.why = why
    this.follow(this.caller.channel.hangUp(cause))
  }

  async hangUp(cause: string): Promise<void> {
    await this.caller.channel.hangUp(this.call.answered_at ? cause : failures.canceled.hangupCause)
  }

  lose(end: ChannelEnd): void {
    this.caller.channel.finish(end)
  }

  get channel(): Channel {
    return this.caller.channel
  }

  get channelIds(): string[] {
    return [this.caller.channel.id, ...(this.far ? [this.far.channel.id] : [])]
  }

  costAt(now: Date): number {
    return costSoFar(this.far?.leg, now)
  }

  get increment(): number {
    return largestIncrement([this.far?.leg])
  }

  monitored(): MonitoredAgent[] {
    if (this.call.answered_at === null || !this.far) return []
    return [monitoredPhone(this.far), monitoredPhone(this.caller)].filter((one) => one !== null)
  }

  async settled(): Promise<void> {
    await this.writes.settled()
  }

  async drive(by: string): Promise<ScriptedCall | null> {
    this.driving ??= this.handOn(by).finally(() => {
      if (!this.isDriven) this.driving = undefined
    })
    return this.driving
  }

  /** Whatever the channels and the row say in between, either session can recover the call. */
  private async handOn(by: string): Promise<ScriptedCall | null> {
    const { call, caller, far, services } = this
    if (!far || !call.answered_at) return null
    const line = this.isHandedOnBy(by, far.leg) ? caller : far
    const destination = line === far ? caller : far
    const isOver = () => (line.channel.end ?? destination.channel.end) !== undefined
    if (isOver()) return null
    await this.writes.settled()
    await line.channel.parkAfterBridge(true)
    if (line === caller) {
      // The duration limit is on the far leg, which may leave.
      const gone = (Date.now() - call.answered_at.getTime()) / 1000
      await line.channel.limit(Math.max(1, Math.ceil(call.max_duration - gone)), 'ALLOTTED_TIMEOUT')
    }
    const side = line === caller ? 'caller' : 'called'
    await services.store.setLine(call, side)
    if (isOver()) return null
    this.isDriven = true
    call.line = side
    return new Promise((resolve) => {
      const session: CallSession = new CallSession(call, {
        ...services,
        onBridge: (one, bridge) => {
          services.onBridge(one, bridge)
          resolve(session)
        },
        onEnded: (one, how) => {
          services.onEnded(one, how)
          resolve(null)
        },
      })
      services.onDriven(session)
      session.recover(line, {
        ...{ script: null, flow: undefined, hasRunOut: false, playback: 'none' },
        bridge: {
          other: destination,
          found: { primarySide: 'line', holders: [], bridged: true, muted: [], deaf: [], transfer: null },
          transfer: null,
        },
      })
    })
  }

  partnerOf(channelId: string): Partner | null {
    const { call, caller, far } = this
    if (!far || !call.answered_at || this.driving || this.partnerMoved) return null
    if (caller.channel.end ?? far.channel.end) return null
    if (caller.channel.id === channelId) return { leg: far.leg, isCalled: true }
    return far.channel.id === channelId ? { leg: caller.leg, isCalled: false } : null
  }

  async movePartner(channelId: string, move: PartnerMove): Promise<AnsweredLeg | null> {
    const partner = this.partnerOf(channelId)
    if (partner?.isCalled) return this.moveFarParty(move)
    const by = this.far?.leg.agent_id ?? this.far?.leg.sip_account_id
    return (partner && by && (await this.drive(by))?.movePartner(channelId, move)) || null
  }

  private async moveFarParty({ write, written }: PartnerMove): Promise<AnsweredLeg | null> {
    await this.writes.settled()
    const { call, caller, far, services } = this
    if (!far || !this.partnerOf(caller.channel.id)) return null
    this.partnerMoved = true
    try {
      await far.channel.parkAfterBridge(true)
      const callId = await write(far.leg)
      this.far = undefined
      // Recovery must find the channel in the other call.
      await far.channel.setVariables({ jackfield_call: callId, jackfield_role: far.leg.role })
      await services.actions.recorder.leave(call, far.channel)
      await written()
      await far.channel.park()
    } catch (error) {
      if (!(error instanceof CallGoneError || error instanceof SwitchRefusedError)) throw error
    }
    if (this.far) {
      // The other call has ended: the bridge stays, unless the phone has left meanwhile.
      this.partnerMoved = false
      if (caller.channel.end) await far.channel.hangUp('NORMAL_CLEARING')
      else await far.channel.parkAfterBridge(false)
      return null
    }
    void caller.channel.hangUp(transferCause).catch(() => undefined)
    return far
  }

  /** True if the far end transfers the call, rather than its caller. */
  private isHandedOnBy(by: string, far: CallLeg): boolean {
    const { agent_id, sip_account_id } = this.caller.leg
    if (by === (agent_id ?? sip_account_id)) return false
    return (far.agent_id ?? far.sip_account_id) !== null
  }

  private routeDialOptions(ringTimeout: number) {
    return {
      role: 'called',
      callerName: this.call.from_name,
      ringTimeout,
      maxDuration: this.call.max_duration,
      afterBridge: 'hangup',
      signal: this.over.signal,
      onDialed: (leg: CallLeg, channel: Channel, isForked?: true) => {
        this.far = { leg, channel }
        // The switch would take the first early media for the answer, and cancel the other legs.
        if (!isForked) this.hearEarly(channel)
      },
      onRinging: (sipCode: number, at: Date) => this.ringing(sipCode, at),
    } as const
  }

  private hearEarly(far: Channel): void {
    const hear = () => void passWhenHeard(this.caller.channel, far).catch(() => undefined)
    if (far.hasMedia && far.state !== 'answered' && !far.bridged) hear()
    else far.once('early', hear)
  }

  /** The caller's channel is the primary leg: every end of the far leg leads to its end. */
  private follow(far: Promise<void>): void {
    this.farOver = far.catch(async (error: unknown) => this.farFailed(error))
    const { channel } = this.caller
    channel.once('ended', (end) => void this.callerEnded(end))
    if (channel.end) void this.callerEnded(channel.end)
  }

  private ringing(sipCode: number, at: Date): void {
    if (!changeStatus(this.call, 'ring')) return
    const when = notBefore(this.call.created_at, at)
    void this.writes.add(async () => this.services.store.ringing(this.call, sipCode, when))
  }

  /** Resolves when the far end has gone. */
  private async join({ leg, channel }: AnsweredLeg): Promise<void> {
    this.far = { leg, channel }
    if (this.call.answered_at === null) this.writeAnswer(leg, channel)
    // A transfer may replace the caller, so record the far end.
    void recordOutbound(this.call, channel, this.services, this.writes)
    const end = await new Promise<ChannelEnd | null>((resolve) => {
      channel.once('ended', resolve)
      channel.once('abandoned', () => resolve(null))
      if (channel.end) resolve(channel.end)
    })
    if (!end || this.isDriven || this.far?.channel !== channel) return
    void this.writes.add(async () => this.services.store.legEnded(leg, end))
    // The switch does so, too; this is for a far end that left before the bridge was complete.
    await this.caller.channel.hangUp(end.hangupCause)
  }

  private writeAnswer(leg: CallLeg, channel: Channel): void {
    const at = notBefore(this.call.created_at, channel.answeredAt ?? new Date())
    this.call.answered_at = at
    changeStatus(this.call, 'bridge')
    leg.answered_at = at
    this.caller.leg.answered_at = at
    void this.writes.add(async () => {
      await this.services.store.answered(this.call, leg, at, 'bridge')
      await this.services.store.legAnswered(this.caller.leg, at)
    })
  }

  /** The dial failed: hangs up the caller with its cause, unless the switch has done that already. */
  private async farFailed(error: unknown): Promise<void> {
    // Without the event socket nothing is known: recovery finds the call again after the next connection.
    if (error instanceof SwitchDownError) return
    if (!(error instanceof DialFailedError))
      this.services.log.error(
        { event: 'phone_call.connect_failed', err: error, call: this.call.id },
        'connecting the call of a phone failed',
      )
    const { hangupCause } = error instanceof DialFailedError ? error.failure : failures.internal
    await this.caller.channel.hangUp(hangupCause).catch((failure: unknown) => {
      this.services.log.warn(
        { event: 'phone_call.hangup_failed', err: failure, call: this.call.id },
        'hanging up a caller failed',
      )
    })
  }

  private async callerEnded(end: ChannelEnd): Promise<void> {
    if (this.isDriven) return
    this.over.abort()
    if (!this.partnerMoved) void this.far?.channel.hangUp(end.hangupCause).catch(() => undefined)
    if (!this.partnerMoved) await Promise.race([this.farOver, sleep(farEndMs, undefined, { ref: false })])
    const { answered_at, created_at } = this.call
    const outcome = endOfBridgedCall(
      answered_at,
      this.partnerMoved ? { ...end, hangupCause: transferCause } : end,
      this.far?.channel.end,
    )
    void this.writes.add(async () => this.services.store.legEnded(this.caller.leg, end))
    await this.writes.add(async () =>
      this.services.store.ended(this.call, {
        ...outcome,
        why: this.why,
        endedAt: notBefore(answered_at ?? created_at, end.endedAt),
      }),
    )
    this.services.onEnded(this, outcome)
  }
}
