/** Dials the addresses of a route one after another, until one answers or fails finally (trunk failover). */
import type { Call } from '../model/call.entity.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { type DialFailure, isFinal } from '../../../adapters/freeswitch/hangup-causes.js'
import { isRedirect, refusesMedia } from '../../../adapters/freeswitch/redirects.js'
import { type AnsweredLeg, DialFailedError } from '../model/answered-leg.js'
import { failures } from '../model/termination.js'
import type { CallRouting } from '../routing/call-routing.js'
import { onFailureOf, wayTo } from '../routing/dialled-address.js'
import type { Route } from '../routing/route.js'
import { firstToAnswer } from './answer-race.js'
import type { RouteDialOptions } from './dial-options.js'
import type { Dial } from './dialer.js'
import type { LegDialer } from './leg-dialer.js'
import { legOutcome, untilBridged } from './leg-outcome.js'

export class AddressDialer {
  constructor(
    private readonly legs: LegDialer,
    private readonly routing: Pick<CallRouting, 'forwarded'>,
    private readonly dialAny: Dial,
  ) {}

  async dial(call: Call, whole: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    const { switchboard } = this.legs
    const until = Date.now() + options.ringTimeout * 1000
    let failure: DialFailure = failures.noRoute
    let endedAt = new Date()
    const { first = 0 } = options
    const ways = whole.targets.slice(first).map((target) => wayTo(whole, target))
    let isRetry = first > 0
    for (let way = ways.shift(); way; way = ways.shift()) {
      const { target, route } = way
      const secondsLeft = Math.ceil((until - Date.now()) / 1000)
      if (secondsLeft <= 0 || options.signal.aborted) {
        ways.unshift(way)
        break
      }
      const leg = await this.legs.add(call, route, target, options, isRetry)
      const request = this.legs.requestFor(call, route, way, leg, { ...options, ringTimeout: secondsLeft })
      const channel = options.caller
        ? switchboard.dialFor(options.caller, request, onFailureOf(route, way, ways.length === 0))
        : switchboard.dial(request)
      options.onDialed?.(leg, channel)
      if (request.earlyMedia) channel.once('early', () => options.onEarlyMedia?.(channel))
      const end = await this.legs.outcome(leg, channel, secondsLeft, options)
      if (!end) {
        target.answered?.()
        return { leg, channel }
      }
      await this.legs.ended(leg, end)
      failure = end
      endedAt = end.endedAt
      if (route.phone && isRedirect(end.sipCode)) {
        const next = await this.forwarded(call, route, end)
        const ringTimeout = Math.ceil((until - Date.now()) / 1000)
        if (next && ringTimeout > 0 && !options.signal.aborted)
          return this.dialAny(call, next, { ...options, ringTimeout, first: 0 })
        failure = await this.sentAway(options)
      }
      isRetry = true
      if (way.otherOffer && refusesMedia(end.sipCode)) ways.unshift({ target, route, offer: way.otherOffer })
      else if (isFinal(end) && !whole.isEmergency) break
    }
    // The switch ends the caller with the last failure, which aborts the signal, too.
    const isGivenUp =
      options.signal.aborted && (ways.length > 0 || failure.hangupCause === failures.canceled.hangupCause)
    if (!isGivenUp) whole.unreached?.()
    throw new DialFailedError(failure, endedAt)
  }

  /**
   * Waits for legs that the previous process dialled; several if the switch rings both kinds of phones for a caller.
   * @throws as {@link reach}, for these legs
   */
  async await(dialled: readonly AnsweredLeg[], options: RouteDialOptions): Promise<AnsweredLeg> {
    const attempts = dialled.map((one) => async (signal: AbortSignal) => {
      const { leg, channel } = one
      const end =
        (await legOutcome(channel, options.ringTimeout, { ...options, signal })) ??
        (dialled.length > 1 ? await untilBridged(channel) : null)
      if (!end) return one
      await this.legs.ended(leg, end)
      const isForwarded = (leg.sip_account_id ?? leg.agent_id) !== null && isRedirect(end.sipCode)
      throw new DialFailedError(isForwarded ? await this.sentAway(options) : end, end.endedAt)
    })
    return firstToAnswer(attempts, options.signal, (reached) => this.legs.drop(reached))
  }

  /** Where a phone redirects its calls, within the workspace. */
  async forwarded({ workspace_id: id }: Call, route: Route, end: ChannelEnd): Promise<Route | null> {
    if (end.forwardedTo === undefined) return null
    return this.routing.forwarded({ id }, route, end.forwardedTo)
  }

  /** The phone forwards to where calls may not go: counts as no answer. */
  private async sentAway({ caller }: Pick<RouteDialOptions, 'caller'>): Promise<DialFailure> {
    // Otherwise the caller would get the SIP edge's 410.
    await caller?.forgetFailure()
    return failures.forwardedAway
  }
}
