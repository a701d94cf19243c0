import type { AppUser } from '../model/app-user.js'
import type { Credential } from '../../sip-trunks/outbound-gateway.service.js'
import type { Attestation } from '../../../adapters/stir-shaken/passport.js'
import type { CarrierCodec, MediaEncryption } from '../../../adapters/freeswitch/switchboard.js'
import type { DialTarget } from '../../../adapters/freeswitch/dial-string.js'
import type { ContactKind } from '../../sip-accounts/registered-contacts.js'
import type { Rate } from '../../rates/rating.js'
import type { Phone } from './phones.js'
import type { CallTokenClaims } from '../model/call-token.js'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { RawAudio } from '../../../adapters/freeswitch/raw-audio.js'
import type { SampleRate } from '../../../lib/sound/sample-rate.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { Call } from '../model/call.entity.js'

/**
 * A route: over a gateway into the telephone network, to the registrations of a SIP account or agent, to apps, or to
 * audio in this process.
 */
export interface Route {
  /** Digits of a telephone number, the username of a phone, or the address of a client. */
  number: string
  /** How the caller is shown: `sip:user@domain`. */
  caller: { user: string; domain: string }
  /** The caller as the carrier wants it: the number in its format, and the user that replaces it in From. */
  shownAs?: { user: string; fromUser: string | null }
  /** Whether the caller id is withheld from the far end; a carrier still gets it from us (RFC 3325). */
  isWithheld?: boolean
  /** Ids of the phones that have forwarded the call to this route. */
  forwardedBy?: readonly string[]
  /** What its legs cost. */
  rate: Rate
  /** Set on a route over a gateway. */
  gatewayId: string | null
  /** Set on a route to registrations. */
  phone: Pick<Phone, 'kind' | 'id'> | null
  /** Which of the phones at that address ring [all registered ones, of each kind]. */
  contacts?: ContactKind
  credential: Credential | null
  /** Media encryption [none]. */
  encryption?: MediaEncryption
  /** What a carrier is offered, best first [PCMU, PCMA]. */
  codecs?: readonly CarrierCodec[] | null
  /** What a carrier gets to know of the original parties of an incoming call. */
  forwarding?: Forwarding
  /** The attestation level of the caller id, where calls are signed. */
  attestation?: Attestation
  /** Headers of the INVITE, for the edge. */
  headers: Readonly<Record<string, string>>
  /** In the order in which they are tried. */
  targets: readonly RouteTarget[]
  /** An emergency call: a refusal by one address never stops failover to the next. */
  isEmergency?: true
  /** Called when no address was reached, unless the caller gave up. */
  unreached?: () => void
  /** A route to apps, when `phone` does not say whose they are. */
  app?: AppRoute
  /** A route to audio in this process; it has no addresses. */
  audio?: AudioRoute
}

/** One address of a route. */
export interface RouteTarget extends Omit<DialTarget, 'proxy'> {
  /** Where the edge sends the request, even if DNS has changed by then: `sip:address:port;transport=x`. */
  nextHop?: string
  /** The carrier's server from its SRV records, `host:port`. */
  server?: string
  /** Host of the request URI, where `host` is a proxy. */
  requestHost?: string | undefined
  /** Called when this address answers. */
  answered?: () => void
  /** For an address of another gateway than the route's: what differs there. */
  over?: Omit<GatewayRoute, 'targets'>
}

export interface AppRoute {
  readonly person: AppUser
  /** The app has its token already and is about to connect: no notices, and no check of the user's state. */
  readonly isExpected: boolean
  readonly mode?: CallTokenClaims['mode']
}

/** The far end of a leg, once it is ready. */
export interface AudioFarEnd {
  /** The leg is answered and about to be bridged with the caller; its first frame follows. Called at most once. */
  begin(leg: { leg: CallLeg; channel: Channel; audio: RawAudio }): void
  /** The leg has ended, or never began. Called exactly once. */
  end(): void
}

export interface AudioRoute {
  readonly sampleRate: SampleRate
  /** Seconds of audio that may wait to be played [as many as a model may be ahead]. */
  readonly maxQueuedSeconds?: number
  /** The voice agent; null for a customer's stream. */
  readonly voiceAgentId: string | null
  /** What the leg's row has in place of an address, such as `voice-agent:va_…`. */
  readonly uri: string
  /**
   * Prepares the far end. The leg rings until it is ready, and is then answered; if preparing fails, the leg fails
   * with SIP 503.
   * @param signal aborted when the leg is no longer wanted
   */
  prepare(call: Call, signal: AbortSignal): Promise<AudioFarEnd>
}

/** The part of a route that its gateway determines. */
export type GatewayRoute = Pick<
  Route,
  | 'caller'
  | 'shownAs'
  | 'forwarding'
  | 'gatewayId'
  | 'credential'
  | 'encryption'
  | 'codecs'
  | 'attestation'
  | 'headers'
  | 'targets'
>

/** What a gateway's carrier gets. */
export interface Forwarding {
  header: 'none' | 'diversion' | 'history_info'
  /** Whose number is shown. */
  caller: 'own' | 'original'
  /** Formats a number for the carrier. */
  write: (number: string) => string
}
