/** Dials routes of all kinds, each by the dialer of its kind. */
import type { AnsweredLeg } from '../model/answered-leg.js'
import type { Call } from '../model/call.entity.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import type { Stir } from '../../../adapters/stir-shaken/stir.js'
import type { RegisteredContacts } from '../../sip-accounts/registered-contacts.js'
import type { CallStore } from '../model/call-store.js'
import type { CallRouting } from '../routing/call-routing.js'
import type { Route } from '../routing/route.js'
import { AddressDialer } from './address-dialer.js'
import type { AgentClaims } from './agent-claims.js'
import { AppDialer } from './app-dialer.js'
import type { CallOffers } from './call-offers.js'
import { AudioDialer } from './audio-dialer.js'
import type { RouteDialOptions } from './dial-options.js'
import type { Dialer, Dial } from './dialer.js'
import { LegDialer } from './leg-dialer.js'
import { PhoneDialer } from './phone-dialer.js'
import type { UserRinger } from './user-ringer.js'

interface RouteDialerServices {
  readonly store: CallStore
  readonly switchboard: Switchboard
  readonly claims: AgentClaims
  readonly users: UserRinger
  readonly stir: Pick<Stir, 'sign'>
  readonly routing: Pick<CallRouting, 'forwarded'>
  readonly contacts: Pick<RegisteredContacts, 'kindsOf'>
  readonly offers: CallOffers
  /** Private address of a live SIP edge, `host:port`. */
  readonly proxy: () => string
}

export class RouteDialer {
  /** Dials what no other takes. */
  private readonly addresses: AddressDialer
  private readonly phones: PhoneDialer
  /** The first that takes a route dials it. */
  private readonly dialers: readonly Dialer[]

  constructor({
    store,
    switchboard,
    claims,
    users,
    stir,
    routing,
    contacts,
    offers,
    proxy,
  }: RouteDialerServices) {
    const legs = new LegDialer(store, switchboard, claims, stir, proxy)
    const dialAny: Dial = async (call, route, options) => this.dial(call, route, options)
    const dialPhone: Dial = async (call, route, options) => this.dialPhone(call, route, options)
    this.addresses = new AddressDialer(legs, routing, dialAny)
    this.phones = new PhoneDialer(legs, this.addresses, contacts, dialAny)
    const apps = new AppDialer(claims, users, dialPhone, (reached) => legs.drop(reached), offers)
    this.dialers = [new AudioDialer(store, switchboard), apps, this.phones]
  }

  /**
   * Dials a route; if it leads to a user, all their apps and phones at the same time.
   * @throws {DialFailedError} no answer, {@link SwitchDownError} the connection to the switch was lost meanwhile
   */
  async dial(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    const dialer = this.dialers.find((one) => one.takes(route)) ?? this.addresses
    return dialer.dial(call, route, options)
  }

  /**
   * Dials the addresses of a route, but no apps.
   * @throws as {@link reach}
   */
  async dialPhone(call: Call, route: Route, options: RouteDialOptions): Promise<AnsweredLeg> {
    const dialer = this.phones.takes(route) ? this.phones : this.addresses
    return dialer.dial(call, route, options)
  }

  /**
   * Waits for legs that the previous process dialled; several if the switch rings both kinds of phones for a caller.
   * @throws as {@link reach}, for these legs
   */
  async await(dialled: readonly AnsweredLeg[], options: RouteDialOptions): Promise<AnsweredLeg> {
    return this.addresses.await(dialled, options)
  }
}
