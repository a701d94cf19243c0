/** Recovers calls of phones after a restart, or after the connection to the switch was lost. */
import type { Route } from '../routing/route.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { isFinal } from '../../../adapters/freeswitch/hangup-causes.js'
import type { ChannelSnapshot, Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { endOfBridgedCall, failures, refusalCauses } from '../model/termination.js'
import type { SessionServices } from '../session/call-session.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { type SwitchHistory, endOfLeg, presumedEnd, unreported } from '../model/leg-ends.js'
import { releaseLeg } from '../dialling/release-leg.js'
import { PhoneCall } from '../session/phone-call.js'
import type { AnsweredLeg } from '../model/answered-leg.js'

interface Services {
  store: CallStore
  switchboard: Switchboard
  session: SessionServices
  /** The route of the call. */
  routeOf(call: Call): Promise<Route | null>
  /** Seconds. */
  ringTimeout: number
}

export class PhoneRecovery {
  constructor(private readonly services: Services) {}

  /** @returns the call's session; null if it has ended */
  async recover(call: Call, legs: readonly CallLeg[], history: SwitchHistory): Promise<PhoneCall | null> {
    const caller = legs.find(({ role }) => role === 'caller')
    const called = legs.filter(({ role }) => role === 'called')
    const found = caller && (await this.services.switchboard.adopt(caller.channel_id))
    if (!caller || !found || found.channel.end) {
      await this.callerGone(call, caller, called, found?.channel.end, history)
      return null
    }
    const session = new PhoneCall(call, { leg: caller, channel: found.channel }, this.services.session)
    const open = await this.adoptAll(called)
    const isOpen = (leg: CallLeg) => open.some((one) => one.leg === leg)
    if (found.channel.state !== 'answered' && open.length === 0) {
      await this.goOn(session, called, found.snapshot, history)
      return session
    }
    for (const leg of called) if (!leg.ended_at && !isOpen(leg)) await this.writeEnd(leg, history)
    if (found.channel.state === 'answered') {
      const far = open.find(({ channel }) => channel.state === 'answered') ?? open.at(-1)
      // The switch releases the legs that lost.
      await Promise.all(open.map(async (one) => one !== far && releaseLeg(one, this.services.store)))
      session.recover(far ?? null)
    } else session.awaitAnswer(open, this.services.ringTimeout)
    return session
  }

  /** Legs that have not ended and whose channels still exist. */
  private async adoptAll(legs: readonly CallLeg[]): Promise<AnsweredLeg[]> {
    const found = await Promise.all(
      legs.map(async (leg) => {
        const adopted = leg.ended_at ? null : await this.services.switchboard.adopt(leg.channel_id)
        return adopted && { leg, channel: adopted.channel }
      }),
    )
    return found.filter((one) => one !== null)
  }

  /** The caller waits, and no leg is ringing: continues where the previous process stopped. */
  private async goOn(
    session: PhoneCall,
    called: readonly CallLeg[],
    snapshot: ChannelSnapshot,
    history: SwitchHistory,
  ): Promise<void> {
    const { call } = session
    const far = called.at(-1)
    for (const leg of called) if (leg !== far && !leg.ended_at) await this.writeEnd(leg, history)
    const end = far && (await this.writeEnd(far, history))
    // The switch is dialling a channel that cannot be seen: we cannot follow the outcome.
    if (far && !end && snapshot.application === 'bridge') {
      session.refuse(refusalCauses.internal)
      return
    }
    const route = end && isFinal(end) ? null : await this.services.routeOf(call)
    // All legs to a phone go to its one address.
    const tried = route?.phone ? Math.min(called.length, 1) : called.length
    const first = end ? tried : Math.max(0, tried - 1)
    if (route && first < route.targets.length) session.connect(route, this.services.ringTimeout, first)
    else session.refuse((end ?? failures.noRoute).hangupCause)
  }

  private async callerGone(
    call: Call,
    caller: CallLeg | undefined,
    called: readonly CallLeg[],
    seen: ChannelEnd | undefined,
    history: SwitchHistory,
  ): Promise<void> {
    const { store, switchboard } = this.services
    let far = called.at(-1)
    let farEnd: ChannelEnd | null | undefined
    for (const leg of called) {
      if (!leg.ended_at) await switchboard.kill(leg.channel_id, 'NORMAL_CLEARING')
      const end = await this.writeEnd(leg, history)
      if (leg === far || end?.answeredAt) [far, farEnd] = [leg, end]
    }
    const known = seen ?? (caller && (await history.journal.find(caller.channel_id)))
    const end = known ?? (caller && presumedEnd(caller, history)) ?? unreported(failures.internal)
    if (caller) await store.legEnded(caller, end)
    const answeredAt = call.answered_at ?? farEnd?.answeredAt ?? end.answeredAt
    if (far && answeredAt && !call.answered_at) await store.answered(call, far, answeredAt, 'bridge')
    await store.ended(call, endOfBridgedCall(answeredAt, end, farEnd ?? undefined))
  }

  /**
   * Writes how the far leg ended.
   * @returns null if the journal does not have it: it may never have been dialled
   */
  private async writeEnd(far: CallLeg, history: SwitchHistory): Promise<ChannelEnd | null> {
    if (far.ended_at) return endOfLeg(far)
    const end = await history.journal.find(far.channel_id)
    await this.services.store.legEnded(far, end ?? presumedEnd(far, history) ?? unreported(failures.internal))
    return end
  }
}
