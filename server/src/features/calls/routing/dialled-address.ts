/** One address of a route: how it is dialled, and which media it is offered. */
import type { Route, RouteTarget } from './route.js'
import type { CallerBand } from '../../../adapters/freeswitch/arrival.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { ChannelEnd } from '../../../adapters/freeswitch/channel-end.js'
import type { OnFailure } from '../../../adapters/freeswitch/redirects.js'
import type { Codec, MediaOffer } from '../../../adapters/freeswitch/switchboard.js'
import type { ContactKind } from '../../sip-accounts/registered-contacts.js'
import { verstatOf } from '../../../adapters/stir-shaken/caller-verification.js'
import { topics } from '../../../infrastructure/observability/telemetry.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { Call } from '../model/call.entity.js'

/** One address of a route, and its media offer. */
export interface Way {
  target: RouteTarget
  offer: MediaOffer
  /** Offer after the first one was rejected. */
  otherOffer?: MediaOffer | undefined
}

interface RoutedWay extends Way {
  route: Route
}

/** One address of a route, which may belong to another gateway than the rest. */
export function wayTo(whole: Route, target: RouteTarget): RoutedWay {
  const route = { ...whole, ...target.over }
  const [offer, otherOffer] = offersOf(route)
  return { target, route, offer, otherOffer }
}

export function toContacts(route: Route, contacts: ContactKind): Route {
  return { ...route, contacts }
}

/** First and second media offer. The SIP edge knows what a phone supports, and has learnt it by the second. */
export function offersOf({ phone, contacts, encryption = 'none' }: Route): [MediaOffer, MediaOffer?] {
  if (contacts === 'webrtc') return ['webrtc']
  if (phone) return ['optional', 'optional']
  return encryption === 'optional' ? ['required', 'none'] : [encryption]
}

/**
 * Whether the caller is hung up when this leg fails, even while no server runs. A phone may forward the call, and may
 * accept another offer.
 */
export function onFailureOf({ phone }: Route, { otherOffer }: Way, isLast: boolean): OnFailure {
  if (!isLast) return 'go_on'
  if (phone) return otherOffer ? 'go_on_if_called_again' : 'go_on_if_forwarded'
  return otherOffer ? 'go_on' : 'end'
}

/**
 * STIR/SHAKEN result to show on a phone: only if the number it displays is the caller's, on a verified inbound call.
 */
export function verstat({ caller_verification, from_number }: Call, { phone, caller }: Route) {
  if (!phone || !caller_verification || caller.user !== from_number || !from_number.startsWith('+')) return {}
  return { verstat: verstatOf[caller_verification.status] }
}

export function publishTried(leg: CallLeg, ringingAt: Date | null, failure: ChannelEnd | null): void {
  const { id: legId, call_id: callId, gateway_id: gatewayId, created_at: createdAt } = leg
  topics.legTried.publish({ ...{ callId, legId, gatewayId, createdAt, ringingAt }, at: new Date(), failure })
}

export function dialTargetOf({
  nextHop: _,
  answered: __,
  server: ___,
  over: ____,
  requestHost,
  ...target
}: RouteTarget) {
  return requestHost === undefined ? target : { ...target, host: requestHost, port: null }
}

/** Identifies a leg: a gateway's address, or a SIP URI. */
export function uriOf({ gatewayId }: Route, { user, host, port, transport, server }: RouteTarget): string {
  const at = port === null ? host : `${host}:${port}`
  return gatewayId === null ? `sip:${user}@${at}` : `${server ?? at};${transport}`
}

const phoneCodecs: Readonly<Record<CallerBand, readonly Codec[]>> = {
  full: ['OPUS', 'G722', 'PCMU', 'PCMA'],
  wide: ['G722', 'PCMU', 'PCMA', 'OPUS'],
  narrow: ['PCMU', 'PCMA', 'G722', 'OPUS'],
}

/** Carriers get their gateway's codecs, or PCMU and PCMA; phones get the caller's codec first, to avoid transcoding. */
export function codecsFor(route: Route, caller: Channel | undefined): readonly Codec[] {
  if (!route.phone) return route.codecs ?? ['PCMU', 'PCMA']
  return phoneCodecs[caller?.hears ?? 'narrow']
}
