/** Dials the registered phones of an address. Desk phones and browsers need different SDP offers, so they ring over two legs. */
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Call } from '../model/call.entity.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { isRedirect, refusesMedia } from '../../../adapters/freeswitch/redirects.js'
import type { DialRequest } from '../../../adapters/freeswitch/switchboard.js'
import type { RegisteredContacts } from '../../sip-accounts/registered-contacts.js'
import { DialFailedError } from '../model/answered-leg.js'
import { offersOf, toContacts } from '../routing/dialled-address.js'
import type { Route } from '../routing/route.js'
import type { AddressDialer } from './address-dialer.js'
import { firstToAnswer, isDeclinedEverywhere } from './answer-race.js'
import type { RouteDialOptions } from './dial-options.js'
import type { Dialer, Dial } from './dialer.js'
import type { LegDialer } from './leg-dialer.js'
import { untilBridged } from './leg-outcome.js'

export class PhoneDialer implements Dialer {
  constructor(
    private readonly legs: LegDialer,
    private readonly addresses: AddressDialer,
    private readonly contacts: Pick<RegisteredContacts, 'kindsOf'>,
    private readonly dialAny: Dial,
  ) {}

  takes({ phone, targets }: Route): boolean {
    return phone !== null && targets.length > 0
  }

  async dial(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    const [target] = route.targets
    const kinds = target ? await this.contacts.kindsOf({ username: target.user, domain: target.host }) : []
    // If nothing is registered, the SIP edge answers 480.
    const [way = toContacts(route, 'sip'), ...others] = kinds.map((kind) => toContacts(route, kind))
    if (others.length === 0) return this.addresses.dial(call, way, options)
    if (options.caller) return this.dialForked(call, [way, ...others], options, options.caller)
    const attempts = [way, ...others].map(
      (one) => async (signal: AbortSignal) => this.addresses.dial(call, one, { ...options, signal }),
    )
    return firstToAnswer(attempts, options.signal, (reached) => this.legs.drop(reached))
  }

  /**
   * Lets the switch ring both kinds of phones for a waiting caller and bridge the first that answers. A redirect or a
   * refused offer is followed up once both have failed and neither has declined.
   */
  private async dialForked(
    call: Call,
    routes: readonly Route[],
    options: RouteDialOptions,
    caller: Channel,
  ): Promise<AnsweredLeg> {
    const until = Date.now() + options.ringTimeout * 1000
    const legs: CallLeg[] = []
    const requests: DialRequest[] = []
    for (const route of routes) {
      const [target] = route.targets
      if (!target) continue
      const leg = await this.legs.add(call, route, target, options, legs.length > 0)
      legs.push(leg)
      requests.push(this.legs.requestFor(call, route, { target, offer: offersOf(route)[0] }, leg, options))
    }
    const ends: ChannelEnd[] = []
    const channels = this.legs.switchboard.dialForkedFor(caller, requests)
    const attempts = legs.flatMap((leg, index) => {
      const channel = channels[index]
      if (!channel) return []
      options.onDialed?.(leg, channel, true)
      return async (signal: AbortSignal) => {
        const end =
          (await this.legs.outcome(leg, channel, options.ringTimeout, { ...options, signal })) ??
          (await untilBridged(channel))
        if (!end) return { leg, channel }
        ends[index] = end
        await this.legs.ended(leg, end)
        throw new DialFailedError(end, end.endedAt)
      }
    })
    try {
      return await firstToAnswer(attempts, options.signal, (reached) => this.legs.drop(reached))
    } catch (error) {
      if (!(error instanceof DialFailedError)) throw error
      const again = isDeclinedEverywhere(error.failure.sipCode)
        ? null
        : await this.nextRoute(call, routes, ends)
      const ringTimeout = Math.ceil((until - Date.now()) / 1000)
      // The caller would get the status of whichever failed last.
      if (!caller.end) await caller.forgetFailure()
      if (!again || ringTimeout <= 0 || options.signal.aborted || caller.end) throw error
      const rest = { ...options, ringTimeout, first: 0 }
      return await (again.contacts ? this.addresses.dial(call, again, rest) : this.dialAny(call, again, rest))
    }
  }

  /** What to dial after several phones have failed: where one forwards, or one again with another offer. */
  private async nextRoute(call: Call, routes: readonly Route[], ends: readonly ChannelEnd[]) {
    for (const [index, route] of routes.entries()) {
      const end = ends[index]
      if (end && isRedirect(end.sipCode)) return this.addresses.forwarded(call, route, end)
      if (end && refusesMedia(end.sipCode) && offersOf(route)[1]) return route
    }
    return null
  }
}
