/** Taking up calls of phones that an earlier process, or an earlier link to the switch, left behind. */
import type { ChannelEnd } from '../switch/channel-end.js'
import { isFinal } from '../switch/hangup-causes.js'
import type { ChannelSnapshot, Switchboard } from '../switch/switchboard.js'
import type { CallLeg } from './call-leg.entity.js'
import { endOfPhoneCall } from './call-outcome.js'
import type { Route } from './call-routing.js'
import type { SessionServices } from './call-session.js'
import type { CallStore } from './call-store.js'
import type { Call } from './call.entity.js'
import { type SwitchHistory, endOfLeg, presumedEnd } from './leg-ends.js'
import { PhoneCall } from './phone-call.js'

interface Services {
  store: CallStore
  switchboard: Switchboard
  session: SessionServices
  /** The way that the call was going. */
  routeOf(call: Call): Promise<Route | null>
  /** Seconds. */
  ringTimeout: number
}

export class PhoneRecovery {
  constructor(private readonly services: Services) {}

  /** @returns the call's session, or null when it has ended */
  async recover(call: Call, legs: readonly CallLeg[], history: SwitchHistory): Promise<PhoneCall | null> {
    const caller = legs.find(({ role }) => role === 'caller')
    const called = legs.filter(({ role }) => role === 'called')
    const far = called.at(-1)
    const found = caller && (await this.services.switchboard.adopt(caller.channel_id))
    if (!caller || !found || found.channel.end) {
      await this.callerGone(call, caller, far, found?.channel.end, history)
      return null
    }
    const session = new PhoneCall(call, { leg: caller, channel: found.channel }, this.services.session)
    const farFound = far && !far.ended_at ? await this.services.switchboard.adopt(far.channel_id) : null
    if (found.channel.state === 'answered') {
      if (far && !farFound) await this.writeEnd(far, history)
      session.takeUp(far && farFound ? { leg: far, channel: farFound.channel } : null)
    } else if (far && farFound) {
      session.awaitAnswer(far, farFound.channel, this.services.ringTimeout)
    } else await this.goOn(session, called, found.snapshot, history)
    return session
  }

  /** The caller waits and nobody is being called: goes on where the earlier process stopped. */
  private async goOn(
    session: PhoneCall,
    called: readonly CallLeg[],
    snapshot: ChannelSnapshot,
    history: SwitchHistory,
  ): Promise<void> {
    const { call } = session
    const far = called.at(-1)
    const end = far && (await this.writeEnd(far, history))
    // The switch is at it, though its channel cannot be seen: whatever comes of that is not ours to follow.
    if (far && !end && snapshot.application === 'bridge') {
      session.refuse('NORMAL_TEMPORARY_FAILURE')
      return
    }
    const route = end && isFinal(end) ? null : await this.services.routeOf(call)
    const first = end ? called.length : Math.max(0, called.length - 1)
    if (route && first < route.targets.length) session.connect(route, this.services.ringTimeout, first)
    else session.refuse(end?.hangupCause ?? 'NO_ROUTE_DESTINATION')
  }

  private async callerGone(
    call: Call,
    caller: CallLeg | undefined,
    far: CallLeg | undefined,
    seen: ChannelEnd | undefined,
    history: SwitchHistory,
  ): Promise<void> {
    const { store, switchboard } = this.services
    if (far && !far.ended_at) await switchboard.kill(far.channel_id, 'NORMAL_CLEARING')
    const farEnd = far && (await this.writeEnd(far, history))
    const known = seen ?? (caller && (await history.journal.find(caller.channel_id)))
    const end = known ?? (caller && presumedEnd(caller, history)) ?? unknownEnd()
    if (caller) await store.legEnded(caller, end)
    const answeredAt = call.answered_at ?? farEnd?.answeredAt ?? end.answeredAt
    if (far && answeredAt && !call.answered_at) await store.answered(call, far, answeredAt, 'active')
    await store.ended(call, endOfPhoneCall(answeredAt, end))
  }

  /** Writes how the far leg ended. @returns null when the journal does not tell: it may be that it was never dialled */
  private async writeEnd(far: CallLeg, history: SwitchHistory): Promise<ChannelEnd | null> {
    if (far.ended_at) return endOfLeg(far)
    const end = await history.journal.find(far.channel_id)
    await this.services.store.legEnded(far, end ?? presumedEnd(far, history) ?? unknownEnd())
    return end
  }
}

/** Of a channel of which nothing is left. */
function unknownEnd(): ChannelEnd {
  return { hangupCause: 'NORMAL_TEMPORARY_FAILURE', sipCode: null, answeredAt: null, endedAt: new Date() }
}
