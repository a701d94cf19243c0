/** Dials the addresses of a route one after another, until one answers or fails finally (trunk failover). */
import type { RouteDialOptions } from './dial-options.js'
import type { AudioRoute } from '../routing/route.js'
import type { AppRoute } from '../routing/route.js'
import type { Route, RouteTarget } from '../routing/route.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import { type DialFailure, isFinal } from '../../../adapters/freeswitch/hangup-causes.js'
import { isRedirect, refusesMedia } from '../../../adapters/freeswitch/redirects.js'
import type { DialRequest, Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { RegisteredContacts } from '../../sip-accounts/registered-contacts.js'
import type { AgentClaims } from './agent-claims.js'
import { firstToAnswer, isDeclinedEverywhere } from './answer-race.js'
import { appsOf } from '../routing/app-route.js'
import { AudioFarEndLeg, audioLegOf } from '../routing/audio-route.js'
import type { UserRinger } from './user-ringer.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { CallGoneError, type CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import type { CallRouting } from '../routing/call-routing.js'
import type { Stir } from '../../../adapters/stir-shaken/stir.js'
import { topics } from '../../../infrastructure/observability/telemetry.js'
import { phoneColumns } from '../routing/phones.js'
import {
  type Way,
  codecsFor,
  dialTargetOf,
  offersOf,
  onFailureOf,
  tellTried,
  toContacts,
  uriOf,
  verstat,
  wayTo,
} from '../routing/dialled-address.js'
import { handedOn } from '../routing/handed-on.js'
import { legOutcome, untilBridged } from './leg-outcome.js'
import { failures } from '../model/termination.js'
import { newLeg } from '../model/new-leg.js'
import { DialFailedError, type AnsweredLeg, lostRace } from '../model/answered-leg.js'

export class RouteDialer {
  constructor(
    private readonly store: CallStore,
    private readonly switchboard: Switchboard,
    private readonly claims: AgentClaims,
    private readonly users: UserRinger,
    private readonly stir: Pick<Stir, 'sign'>,
    private readonly routing: Pick<CallRouting, 'forwarded'>,
    private readonly contacts: Pick<RegisteredContacts, 'kindsOf'>,
    /** Private address of a live SIP edge, `host:port`. */
    private readonly proxy: () => string,
  ) {}

  /**
   * Dials the addresses of a route and, if it leads to a user, all their apps at the same time.
   * @throws {DialFailedError} no answer, {@link SwitchDownError} the connection to the switch was lost meanwhile
   */
  async reach(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    if (route.audio) return this.reachAudio(call, route, route.audio, options)
    const to = appsOf(route)
    if (!to) return this.reachAddresses(call, route, options)
    const release = await this.claim(call, to)
    if (!release) throw new DialFailedError(failures.agentBusy, new Date())
    try {
      await this.users.admit(call, to)
      // A caller that the switch bridges by itself gets only what the switch dials, so apps cannot ring.
      if (options.caller) return await this.reachAddresses(call, route, options)
      return await this.users.reach({
        ...{ call, route, to, options },
        overPhone:
          route.targets.length === 0
            ? null
            : async (signal) => this.reachAddresses(call, route, { ...options, signal }),
        drop: (reached) => this.drop(reached),
      })
    } finally {
      release()
    }
  }

  /**
   * Dials the addresses of a route, but no apps.
   * @throws as {@link reach}
   */
  async reachPhone(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    return this.reachAddresses(call, route, options)
  }

  /**
   * Reserves an agent, so that no other call rings them.
   * @returns null if another call does, or the agent has one
   */
  private async claim({ id }: Call, { person, isExpected }: AppRoute): Promise<(() => void) | null> {
    if (person.kind !== 'agent' || isExpected) return () => undefined
    return this.claims.claim(person.sub, id)
  }

  private drop({ leg, channel }: AnsweredLeg): void {
    const ended = (end: ChannelEnd) => void this.store.legEnded(leg, end).catch(() => undefined)
    channel.once('ended', ended)
    if (channel.end) ended(channel.end)
    void channel.hangUp(lostRace).catch(() => undefined)
  }

  /** Desk phones and browsers need different SDP offers, so those of one address ring over two legs. */
  private async reachAddresses(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    const [target] = route.targets
    if (!route.phone || !target) return this.reachInTurn(call, route, options)
    const kinds = await this.contacts.kindsOf({ username: target.user, domain: target.host })
    // If nothing is registered, the SIP edge answers 480.
    const [way = toContacts(route, 'sip'), ...others] = kinds.map((kind) => toContacts(route, kind))
    if (others.length === 0) return this.reachInTurn(call, way, options)
    if (options.caller) return this.reachForked(call, [way, ...others], options, options.caller)
    const attempts = [way, ...others].map(
      (one) => async (signal: AbortSignal) => this.reachInTurn(call, one, { ...options, signal }),
    )
    return firstToAnswer(attempts, options.signal, (reached) => this.drop(reached))
  }

  private async reachInTurn(call: Call, whole: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
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
      const leg = await this.addLeg(call, route, target, options, isRetry)
      const request = this.requestFor(call, route, way, leg, { ...options, ringTimeout: secondsLeft })
      const channel = options.caller
        ? this.switchboard.dialFor(options.caller, request, onFailureOf(route, way, ways.length === 0))
        : this.switchboard.dial(request)
      options.onDialed?.(leg, channel)
      if (request.earlyMedia) channel.once('early', () => options.onEarlyMedia?.(channel))
      const end = await this.followed(leg, channel, secondsLeft, options)
      if (!end) {
        target.answered?.()
        return { leg, channel }
      }
      await this.store.legEnded(leg, end)
      failure = end
      endedAt = end.endedAt
      if (route.phone && isRedirect(end.sipCode)) {
        const next = await this.forwarded(call, route, end)
        const ringTimeout = Math.ceil((until - Date.now()) / 1000)
        if (next && ringTimeout > 0 && !options.signal.aborted)
          return this.reach(call, next, { ...options, ringTimeout, first: 0 })
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
   * Lets the switch ring both kinds of phones for a waiting caller and bridge the first that answers. A redirect or a
   * refused offer is followed up once both have failed and neither has declined.
   */
  private async reachForked(
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
      const leg = await this.addLeg(call, route, target, options, legs.length > 0)
      legs.push(leg)
      requests.push(this.requestFor(call, route, { target, offer: offersOf(route)[0] }, leg, options))
    }
    const ends: ChannelEnd[] = []
    const channels = this.switchboard.dialForkedFor(caller, requests)
    const attempts = legs.flatMap((leg, index) => {
      const channel = channels[index]
      if (!channel) return []
      options.onDialed?.(leg, channel, true)
      return async (signal: AbortSignal) => {
        const end =
          (await this.followed(leg, channel, options.ringTimeout, { ...options, signal })) ??
          (await untilBridged(channel))
        if (!end) return { leg, channel }
        ends[index] = end
        await this.store.legEnded(leg, end)
        throw new DialFailedError(end, end.endedAt)
      }
    })
    try {
      return await firstToAnswer(attempts, options.signal, (reached) => this.drop(reached))
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
      return await (again.contacts ? this.reachInTurn(call, again, rest) : this.reach(call, again, rest))
    }
  }

  /** What to dial after several phones have failed: where one forwards, or one again with another offer. */
  private async nextRoute(call: Call, routes: readonly Route[], ends: readonly ChannelEnd[]) {
    for (const [index, route] of routes.entries()) {
      const end = ends[index]
      if (end && isRedirect(end.sipCode)) return this.forwarded(call, route, end)
      if (end && refusesMedia(end.sipCode) && offersOf(route)[1]) return route
    }
    return null
  }

  /** Writes a leg that is about to be dialled. */
  private async addLeg(
    call: Call,
    route: Route,
    target: RouteTarget,
    { role, signal }: RouteDialOptions,
    isRetry: boolean,
  ): Promise<CallLeg> {
    const leg = newLeg(call, {
      channel_id: this.switchboard.newChannelId(),
      ...{ role, number: route.number, uri: uriOf(route, target) },
      ...{ gateway_id: route.gatewayId, ...route.rate },
      ...(route.phone && phoneColumns(route.phone)),
    })
    this.claims.hold(leg)
    await this.store.addLeg(leg, isRetry).catch((error: unknown) => {
      this.claims.release(leg.channel_id)
      if (error instanceof CallGoneError && signal.aborted)
        throw new DialFailedError(failures.canceled, new Date())
      throw error
    })
    return leg
  }

  private requestFor(
    call: Call,
    route: Route,
    { target, offer }: Way,
    leg: CallLeg,
    options: RouteDialOptions,
  ): DialRequest {
    const shown = handedOn(call, route, target)
    return {
      channelId: leg.channel_id,
      target: { ...dialTargetOf(target), proxy: this.proxy() },
      callerId: {
        ...{ ...route.caller, ...route.shownAs, name: options.callerName, ...verstat(call, route) },
        ...(route.isWithheld && { isWithheld: true }),
        ...shown.caller,
      },
      codecs: options.codecs ?? codecsFor(route, options.caller),
      encryption: offer,
      headers: {
        ...route.headers,
        ...(route.contacts && { 'X-Edge-Class': route.contacts }),
        ...shown.headers,
        ...this.identity(route, leg, shown.original),
        ...(target.nextHop !== undefined && { 'X-Edge-Next-Hop': target.nextHop }),
      },
      credential: route.credential,
      ringTimeout: options.ringTimeout,
      maxDuration: options.maxDuration,
      afterBridge: options.afterBridge,
      // Several phones may ring at once.
      earlyMedia: options.onEarlyMedia !== undefined && route.phone === null,
      marks: { jackfield_call: call.id, jackfield_role: options.role },
    }
  }

  /** As {@link legOutcome}, for a leg that was just dialled. */
  private async followed(leg: CallLeg, channel: Channel, seconds: number, options: RouteDialOptions) {
    let ringingAt: Date | null = null
    channel.once('ringing', (_sipCode, at) => {
      ringingAt = at
      topics.legRinging.tell({ seconds: Math.max(0, at.getTime() - leg.created_at.getTime()) / 1000 })
    })
    const end = await legOutcome(channel, seconds, options)
    tellTried(leg, ringingAt, end)
    return end
  }

  /** Where a phone redirects its calls, within the workspace. */
  private async forwarded({ workspace_id: id }: Call, route: Route, end: ChannelEnd): Promise<Route | null> {
    if (end.forwardedTo === undefined) return null
    return this.routing.forwarded({ id }, route, end.forwardedTo)
  }

  /** The phone forwards to where calls may not go: counts as no answer. */
  private async sentAway({ caller }: Pick<RouteDialOptions, 'caller'>): Promise<DialFailure> {
    // Otherwise the caller would get the SIP edge's 410.
    await caller?.forgetFailure()
    return failures.forwardedAway
  }

  /** Signs the caller id for this leg alone: `iat` is the time of the INVITE, and `origid` identifies the leg. */
  private identity(
    { attestation, caller, number }: Route,
    { channel_id: origid }: CallLeg,
    original: string | null,
  ) {
    if (!attestation) return {}
    // A forwarded caller is only attested as received from a gateway (C).
    const attest = original === null ? attestation : 'C'
    const claims = { attest, origid, orig: original ?? caller.user.replace('+', ''), dest: [number] }
    const signature = this.stir.sign(claims)
    // The SIP edge turns it into the Identity header: the switch would send a header of that name twice.
    return signature === undefined ? {} : { 'X-Edge-Identity': signature }
  }

  private async reachAudio(
    call: Call,
    route: Route,
    audio: AudioRoute,
    options: RouteDialOptions,
  ): Promise<AnsweredLeg> {
    const leg = audioLegOf(call, route, audio, options.role, this.switchboard.newChannelId())
    await this.store.addLeg(leg)
    const far = new AudioFarEndLeg(call, leg, audio, options.signal)
    const channel = this.switchboard.dialAudio(
      {
        ...{ channelId: leg.channel_id, sampleRate: audio.sampleRate },
        ...{ ringTimeout: options.ringTimeout, maxDuration: options.maxDuration },
        afterBridge: options.afterBridge,
        marks: { jackfield_call: call.id, jackfield_role: options.role },
      },
      (offer) => void far.answer(offer),
    )
    far.follow(channel)
    options.onDialed?.(leg, channel)
    const end = await legOutcome(channel, options.ringTimeout, options)
    if (!end) {
      far.begin(channel)
      return { leg, channel }
    }
    await this.store.legEnded(leg, end)
    throw new DialFailedError(end, end.endedAt)
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
      await this.store.legEnded(leg, end)
      const isForwarded = (leg.sip_account_id ?? leg.agent_id) !== null && isRedirect(end.sipCode)
      throw new DialFailedError(isForwarded ? await this.sentAway(options) : end, end.endedAt)
    })
    return firstToAnswer(attempts, options.signal, (reached) => this.drop(reached))
  }
}
