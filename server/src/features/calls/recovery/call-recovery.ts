/**
 * Recovers calls that the previous process, or the previous link to the switch, left behind. The rows say which calls
 * are live, and on which channels; the switch says what state these are in; its journal says how channels ended that
 * it no longer has.
 */
import { appUserOfLeg, isOfCallingApp } from '../model/app-user.js'
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { ResumePoint } from '../script/resume-point.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { isFinal } from '../../../adapters/freeswitch/hangup-causes.js'
import type { ChannelSnapshot, Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import { turnOf } from '../bridge/primary-leg.js'
import type { CallEvent } from '../model/call-event.entity.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { routeToCaller, secondsLeftToComeBack } from '../session/app-caller.js'
import { canceled, completed, endOfCall, failureOf, failures, unanswered } from '../model/termination.js'
import { CallSession, type SessionServices } from '../session/call-session.js'
import { type CalledParty, type CalledRoute, ringSeconds } from '../dialling/called-party.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { isRecordedByNumber, recordingFailed } from '../session/outbound-recording.js'
import type { ScriptPosition } from '../script/script-runner.js'
import { type SwitchHistory, endOfGone, endOfLeg, presumedEnd, unreported } from '../model/leg-ends.js'
import { releaseLeg } from '../dialling/release-leg.js'
import { NoRoute } from '../model/no-route.js'
import type { RecoveredBridge } from '../bridge/recovered-bridge.js'
import { BridgeRecovery } from './bridge-recovery.js'

interface RecoveryServices {
  store: CallStore
  switchboard: Switchboard
  session: SessionServices
  calledParty: CalledParty
  /** Seconds. */
  ringTimeout: number
}

/** A leg, and the switch's snapshot of its channel. */
interface Found extends AnsweredLeg {
  snapshot: ChannelSnapshot
}

export class CallRecovery {
  private readonly bridges: BridgeRecovery

  constructor(private readonly services: RecoveryServices) {
    this.bridges = new BridgeRecovery(services)
  }

  /** Recovers one live call. @returns its session, or null when the call has ended or was never begun */
  async recover(call: Call, history: SwitchHistory): Promise<CallSession | null> {
    const { store } = this.services
    const legs = await store.legsOf(call.id)
    const primary = await this.primaryLegOf(call, legs)
    if (primary) return this.recoverOn(call, legs, primary, history)
    if (call.line === 'caller') {
      const callers = legs.filter(({ role }) => role === 'caller')
      const open = callers.find(({ ended_at }) => !ended_at)
      return this.recoverOn(call, legs, open ?? callers.at(-1), history)
    }
    const called = legs.filter(({ role }) => role === 'called')
    const last = called.findLast(({ ended_at }) => !ended_at) ?? called.at(-1)
    if (!last) {
      // Accepted and not yet placed: its job is still in the outbox.
      if (call.status !== 'ringing') return null
      // Apps were notified, and none had connected.
      return this.ringAgain(call, [], [], await this.services.calledParty.routeTo(call), history)
    }
    const open = await this.adoptAll(called)
    const line = open.filter(isAnswered).sort(byAnswer)[0]
    if (line) {
      await Promise.all(open.map(async (other) => other !== line && releaseLeg(other, store)))
      for (const leg of goneOf(called, open)) await store.legEnded(leg, await endOfGone(leg, history))
      const bridge = await this.bridges.find(legs, line, history)
      const session = new CallSession(call, this.services.session)
      session.recover(line, resumePoint(line.snapshot, bridge))
      return session
    }
    const way = await this.services.calledParty.routeTo(call)
    const isOnApps = called.some((leg) => appUserOfLeg(leg) !== null)
    if (open.length > 1 || isOnApps || (!(way instanceof NoRoute) && way.route === null))
      return this.ringAgain(call, called, open, way, history)
    if (last.ended_at) return this.dialNext(call, last, endOfLeg(last), called.length)
    const [found] = open
    if (!found) return this.whenGone(call, last, called.length, history)
    const { channel, leg } = found
    if (channel.end) {
      await this.services.store.legEnded(leg, channel.end)
      return this.dialNext(call, leg, channel.end, called.length)
    }
    const session = new CallSession(call, this.services.session)
    session.awaitAnswer(leg, channel, ringSeconds(call, this.services.ringTimeout))
    return session
  }

  /** The legs whose channels the switch has, or had until just now. */
  private async adoptAll(legs: readonly CallLeg[]): Promise<Found[]> {
    const found = await Promise.all(
      legs.map(async (leg) => {
        const adopted = leg.ended_at ? null : await this.services.switchboard.adopt(leg.channel_id)
        return adopted && { leg, ...adopted }
      }),
    )
    return found.filter((one) => one !== null)
  }

  /**
   * No destination in the group had answered: rings all that are reachable now for the remaining time, as the script
   * of a caller does. One may have answered and hung up meanwhile.
   */
  private async ringAgain(
    call: Call,
    called: readonly CallLeg[],
    open: readonly Found[],
    way: CalledRoute | NoRoute,
    history: SwitchHistory,
  ): Promise<CallSession | null> {
    const { store, ringTimeout } = this.services
    await Promise.all(open.map(async (one) => releaseLeg(one, store)))
    for (const leg of goneOf(called, open)) {
      const end = await endOfGone(leg, history)
      if (end.answeredAt ?? leg.answered_at) return this.whenGone(call, leg, called.length, history)
      await store.legEnded(leg, end)
    }
    const secondsLeft = Math.ceil(
      ringSeconds(call, ringTimeout) - (Date.now() - call.created_at.getTime()) / 1000,
    )
    if (way instanceof NoRoute || secondsLeft <= 0) {
      const failure = failureOf(way instanceof NoRoute ? 'offline' : 'no_answer')
      const why = way instanceof NoRoute ? way.explanation : undefined
      await store.ended(call, { ...unanswered(failure), endedAt: new Date(), why })
      return null
    }
    const session = new CallSession(call, this.services.session)
    await session.place(way.ring(secondsLeft))
    return session
  }

  /** The leg that became the primary one in a bridge; undefined while the call's first one still is. */
  private async primaryLegOf(call: Call, legs: readonly CallLeg[]): Promise<CallLeg | undefined> {
    if (call.answered_at === null) return undefined
    const open = legs.filter(({ role, ended_at }) => role !== 'supervisor' && !ended_at)
    if (open.every(({ role }) => role === call.line)) return undefined
    const turns = await Promise.all(
      open.map(async (leg) => {
        const snapshot = await this.services.switchboard.look(leg.channel_id)
        return { leg, turn: snapshot ? turnOf(snapshot) : 0 }
      }),
    )
    const [latest] = turns.sort((one, other) => other.turn - one.turn)
    if (latest && latest.turn > 0) return latest.leg
    // The primary leg ended while no server was connected to the switch.
    const hasBegun = legs.some(({ role, ended_at }) => role === call.line && !ended_at)
    return hasBegun ? undefined : open.at(-1)
  }

  /** Recovers the script on the caller's leg, or on the leg that has become the primary one. */
  private async recoverOn(
    call: Call,
    legs: readonly CallLeg[],
    leg: CallLeg | undefined,
    history: SwitchHistory,
  ): Promise<CallSession | null> {
    const { store, switchboard } = this.services
    const found = leg && (await switchboard.adopt(leg.channel_id))
    if (!leg || (isOfCallingApp(leg) && !leg.answered_at && found?.channel.state !== 'answered')) {
      return this.awaitApp(call, leg, found?.channel ?? null, history)
    }
    if (found && !found.channel.end) {
      const session = new CallSession(call, this.services.session)
      const bridge = await this.bridges.find(legs, found, history)
      session.recover({ leg, channel: found.channel }, resumePoint(found.snapshot, bridge))
      return session
    }
    const ended = found?.channel.end ?? (await endOfGone(leg, history))
    await store.legEnded(leg, ended)
    for (const other of legs.filter((one) => one !== leg && !one.ended_at)) {
      const known = await history.journal.find(other.channel_id)
      if (known) await store.legEnded(other, known)
    }
    if (call.answered_at === null && ended.answeredAt && !isOfCallingApp(leg)) {
      await store.answered(call, leg, ended.answeredAt)
    }
    await store.ended(call, endOfCall(call, leg, ended))
    return null
  }

  /** The calling app has not connected yet, or lost its socket before its leg was up. */
  private async awaitApp(
    call: Call,
    leg: CallLeg | undefined,
    found: Found['channel'] | null,
    history: SwitchHistory,
  ): Promise<CallSession | null> {
    const { store } = this.services
    if (leg && found) await releaseLeg({ leg, channel: found }, store)
    else if (leg) await store.legEnded(leg, await endOfGone(leg, history))
    const seconds = secondsLeftToComeBack(call)
    if (seconds <= 0) {
      await store.ended(call, { ...canceled('caller'), endedAt: new Date() })
      return null
    }
    const session = new CallSession(call, this.services.session)
    session.awaitApp(routeToCaller(call), seconds)
    return session
  }

  /** The switch no longer has the channel: the journal says how it ended, or the switch was restarted. */
  private async whenGone(
    call: Call,
    leg: CallLeg,
    tried: number,
    history: SwitchHistory,
  ): Promise<CallSession | null> {
    const end = (await history.journal.find(leg.channel_id)) ?? presumedEnd(leg, history)
    // The switch never had it: the server crashed between writing the leg and dialling it.
    if (!end) return this.dialAgain(call, leg, tried - 1)
    await this.services.store.legEnded(leg, end)
    if (end.answeredAt === null && leg.answered_at === null) return this.dialNext(call, leg, end, tried)
    if (call.answered_at === null && end.answeredAt) {
      await this.services.store.answered(call, leg, end.answeredAt)
    }
    const { hangupCause, endedAt } = end
    const how = { ...completed(hangupCause, 'unknown'), endedAt }
    await this.services.store.ended(call, how, undefined, await this.neverRecorded(call, endedAt))
    return null
  }

  /** The timeline entry of a call that was to be recorded, but ended before the recording could begin. */
  private async neverRecorded(call: Call, at: Date): Promise<CallEvent[]> {
    const { recorder } = this.services.session.actions
    const wasAsked =
      call.script.some(({ action, problem }) => action === 'recording' && problem === undefined) ||
      (await isRecordedByNumber(call, this.services.session))
    if (!wasAsked || !(await recorder.mayRecord(call)) || (await recorder.hasBegun(call))) return []
    return [recordingFailed(call, at)]
  }

  /** An address failed: dials the next one, unless the failure is final. */
  private async dialNext(
    call: Call,
    leg: CallLeg,
    end: ChannelEnd,
    tried: number,
  ): Promise<CallSession | null> {
    const way = isFinal(end) ? null : await this.services.calledParty.routeTo(call)
    const route = way === null || way instanceof NoRoute ? null : way.route
    if (route && tried < route.targets.length) return this.dialAgain(call, leg, tried)
    await this.services.store.ended(call, { ...unanswered(end), endedAt: end.endedAt })
    return null
  }

  private async dialAgain(call: Call, leg: CallLeg, first: number): Promise<CallSession | null> {
    if (!leg.ended_at) await this.services.store.legEnded(leg, unreported(failures.internal))
    const way = await this.services.calledParty.routeTo(call)
    if (way instanceof NoRoute) {
      const end = { ...unanswered(failures.noRoute), endedAt: new Date() }
      await this.services.store.ended(call, { ...end, why: way.explanation })
      return null
    }
    const session = new CallSession(call, this.services.session)
    await session.place(way.ring(ringSeconds(call, this.services.ringTimeout)), first)
    return session
  }
}

/** Legs that are open in the database, but gone from the switch. */
function goneOf(legs: readonly CallLeg[], found: readonly Found[]): CallLeg[] {
  return legs.filter((leg) => !leg.ended_at && !found.some((one) => one.leg === leg))
}

function isAnswered({ channel }: AnsweredLeg): boolean {
  return channel.state === 'answered' && !channel.end
}

function byAnswer(one: AnsweredLeg, other: AnsweredLeg): number {
  return (one.channel.answeredAt?.getTime() ?? 0) - (other.channel.answeredAt?.getTime() ?? 0)
}

function resumePoint(snapshot: ChannelSnapshot, bridge: RecoveredBridge | null): ResumePoint {
  const script = stepOf(snapshot.variable('jackfield_step'))
  const flow = snapshot.variable('jackfield_flow') || undefined
  // The switch sets playback_ms when a playback ends; it was emptied when the step began.
  const ended = Boolean(snapshot.variable('playback_ms'))
  const running = !ended && snapshot.application === 'playback'
  const hasRunOut = snapshot.variable('jackfield_ran_out') === 'true'
  return { script, flow, hasRunOut, playback: ended ? 'ended' : running ? 'running' : 'none', bridge }
}

function stepOf(mark: string | undefined): ScriptPosition | null {
  const [, revision, index] = /^(\d+)\.(\d+)$/.exec(mark ?? '') ?? []
  return revision && index ? { revision: Number(revision), index: Number(index) } : null
}
