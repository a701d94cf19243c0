/** One leg over SIP: its row, the request to the switch, and how it ends. */
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Call } from '../model/call.entity.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { DialRequest, Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { Stir } from '../../../adapters/stir-shaken/stir.js'
import { topics } from '../../../infrastructure/observability/telemetry.js'
import { DialFailedError, lostRace } from '../model/answered-leg.js'
import { CallGoneError, type CallStore } from '../model/call-store.js'
import { newLeg } from '../model/new-leg.js'
import { failures } from '../model/termination.js'
import {
  type Way,
  codecsFor,
  dialTargetOf,
  publishTried,
  uriOf,
  verstat,
} from '../routing/dialled-address.js'
import { handedOn } from '../routing/handed-on.js'
import { phoneColumns } from '../routing/phones.js'
import type { Route, RouteTarget } from '../routing/route.js'
import type { AgentClaims } from './agent-claims.js'
import type { RouteDialOptions } from './dial-options.js'
import { legOutcome } from './leg-outcome.js'

export class LegDialer {
  constructor(
    private readonly store: CallStore,
    readonly switchboard: Switchboard,
    private readonly claims: AgentClaims,
    private readonly stir: Pick<Stir, 'sign'>,
    /** Private address of a live SIP edge, `host:port`. */
    private readonly proxy: () => string,
  ) {}

  /** Writes a leg that is about to be dialled. */
  async add(
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

  requestFor(
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
      recoveryVariables: { jackfield_call: call.id, jackfield_role: options.role },
    }
  }

  /** As {@link legOutcome}, for a leg that was just dialled. */
  async outcome(
    leg: CallLeg,
    channel: Channel,
    seconds: number,
    options: RouteDialOptions,
  ): Promise<ChannelEnd | null> {
    let ringingAt: Date | null = null
    channel.once('ringing', (_sipCode, at) => {
      ringingAt = at
      topics.legRinging.publish({ seconds: Math.max(0, at.getTime() - leg.created_at.getTime()) / 1000 })
    })
    const end = await legOutcome(channel, seconds, options)
    publishTried(leg, ringingAt, end)
    return end
  }

  async ended(leg: CallLeg, end: ChannelEnd): Promise<void> {
    await this.store.legEnded(leg, end)
  }

  /** Hangs up a leg that answered too late. */
  drop({ leg, channel }: AnsweredLeg): void {
    const ended = (end: ChannelEnd) => void this.store.legEnded(leg, end).catch(() => undefined)
    channel.once('ended', ended)
    if (channel.end) ended(channel.end)
    void channel.hangUp(lostRace).catch(() => undefined)
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
}
