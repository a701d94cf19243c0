/** Where a call goes, over which addresses, and what it costs. */
import type { Route } from './route.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../../infrastructure/http/errors.js'
import { type ParsedNumber, dialledNumber } from '../../../lib/numbering/e164.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { TeamService } from '../../teams/team.service.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'
import type { WorkspaceNumbers } from '../../phone-numbers/workspace-numbers.js'
import type { GatewayAddresses } from '../../sip-trunks/gateway-addresses.js'
import type { GatewayRoutes } from '../../sip-trunks/gateway-routes.js'
import type { OutboundGateway } from '../../sip-trunks/outbound-gateway.entity.js'
import type { OutboundGatewayService } from '../../sip-trunks/outbound-gateway.service.js'
import { type FoundHop, type NextHops, nextHopUri } from '../../../infrastructure/http-client/next-hops.js'
import type { Arrival } from '../../../adapters/freeswitch/arrival.js'
import { anonymous, anonymousDomain } from '../../../adapters/freeswitch/caller-variables.js'
import { routeToClient } from './app-route.js'
import { type Rate, costOf, free } from '../../rates/rating.js'
import type { Rates } from '../../rates/rates.js'
import type { CallLimits } from '../limits/call-limits.js'
import { subOf } from '../model/client-address.js'
import { GatewayRouting } from './gateway-route.js'
import type { ExtensionTarget, Phone, Phones } from './phones.js'
import { NoRoute } from '../model/no-route.js'
import { type ShortNumber, ShortNumbers, isOutside } from './short-numbers.js'
import { type SipUri, addressOf, numbersOf, parseSipUri } from '../model/sip-uri.js'

/** What a dialled text stands for. */
export type Destination =
  | { kind: 'number'; number: ParsedNumber }
  | ShortNumber
  /**
   * A SIP account or an agent. `dialled`: the extension or username that named it, or the id of a SIP account whose
   * username is also an agent's. {@link CallRouting.find} finds the same phone by it.
   */
  | { kind: 'phone'; phone: Phone; dialled: string; name: string }
  | { kind: 'team'; teamId: string; dialled: string; name: string }
  /** A user of a customer's app. We keep no list of them: only ringing shows whether one is reachable. */
  | { kind: 'client'; sub: string; dialled: string; name: string }
  | { kind: 'voice_agent'; voiceAgentId: string; dialled: string; name: string }
  /** An extension whose destination was deleted. */
  | { kind: 'unavailable'; dialled: string; name: string; leadsTo: ExtensionTarget['destination'] }

/** What a route to a phone is made of. */
type Registered = Pick<Phone, 'kind' | 'id' | 'username' | 'domain'>

/** A destination that a caller can reach. */
export type Reachable = Exclude<Destination, { kind: 'unavailable' }>

/** A destination that a call can be made to. */
export type Party = Reachable

/** A destination with a single route. */
export type Single = Extract<Destination, { kind: 'number' | 'short_number' | 'phone' | 'client' }>

/** A destination that a script can dial. */
export type Operator = Single | { kind: 'uri'; uri: SipUri }

/** A destination to dial, and its caller. */
interface OperatorCall {
  to: Operator
  from: PhoneNumber | null
  /** The caller as a phone of the workspace displays it, in place of `from`. */
  shown: string | undefined
  /** In place of the gateway of `from`. */
  gatewayId: string | undefined
}

/** The most phones that may forward one call, one after another. */
const mostForwards = 3

const usernameRule = /^[a-z0-9-]{3,30}$/

/** Tells the edge that a call goes to registrations. */
const toRegistered = { 'X-Edge-Destination': 'account' }

interface Options {
  phoneNumbers: PhoneNumberService
  numbers: WorkspaceNumbers
  outboundGateways: OutboundGatewayService
  phones: Phones
  teams: Pick<TeamService, 'findMany'>
  limits: CallLimits
  rates: Rates
  /** Of SIP URIs. */
  nextHops: NextHops
  gatewayRoutes: Pick<GatewayRoutes, 'targetsOf'>
  gatewayAddresses: Pick<GatewayAddresses, 'isOthers'>
  /** Accounts belong to `<workspace>.<sipDomain>`. */
  sipDomain: string
  /** The host in From of calls to carriers, as it is written in a URI. */
  publicHost: string
}

export class CallRouting {
  readonly ways: GatewayRouting
  private readonly shortNumbers: ShortNumbers

  constructor(private readonly options: Options) {
    this.ways = new GatewayRouting(options)
    this.shortNumbers = new ShortNumbers(options, this.ways)
  }

  /**
   * Finds the destination of a call. It looks for, in this order: a client, the id of a SIP account or a team, an extension,
   * the username or SIP URI of an agent or a SIP account, a short number of a gateway, a number in E.164 or as people
   * of the workspace's country dial it.
   */
  async find(workspace: Owner, text: string): Promise<Destination | null> {
    const found = (await this.inside(workspace, text)) ?? (await this.shortNumbers.find(workspace, text))
    if (found) return found
    const number = await this.options.numbers.read(workspace, text)
    return number && { kind: 'number', number }
  }

  /**
   * Finds what was dialled on a phone: as {@link find}, with numbers as people of `country` dial them. `dialledHost`
   * is the host of the request URI: if an agent and a SIP account have the same username, it picks the one whose
   * domain it is.
   */
  async findDialled(
    workspace: Owner,
    { dialled, dialledHost }: Pick<Arrival, 'dialled' | 'dialledHost'>,
    country: string,
  ): Promise<Destination | null> {
    const found =
      (await this.inside(workspace, dialled, dialledHost)) ??
      (await this.shortNumbers.find(workspace, dialled))
    if (found) return found
    const number = dialledNumber(dialled, country)
    return number && { kind: 'number', number }
  }

  /** As {@link reachable}, for the party that a call is made to. @throws 400 naming `field` */
  async party(workspace: Owner, text: string, field: string): Promise<Party> {
    return this.reachable(workspace, text, field)
  }

  /** As {@link find}, for a request. @throws 400 naming `field` */
  async reachable(workspace: Owner, text: string, field: string): Promise<Reachable> {
    const found = await this.find(workspace, text)
    if (!found) {
      if (await this.options.numbers.isEmergency(workspace, text)) {
        throw invalidField(
          field,
          `${field} is an emergency number: phones alone call it, registered with a SIP account or as an agent`,
        )
      }
      throw invalidField(
        field,
        `${field} is neither a possible number, in E.164 or of the workspace’s country, nor an extension, agent or SIP account of this workspace, nor client:<sub>`,
      )
    }
    if (found.kind === 'unavailable') {
      throw invalidField(
        field,
        `${field} is an extension that leads to ${article[found.leadsTo]} that was deleted`,
      )
    }
    return found
  }

  /** As {@link party}, but for teams. @throws 400 naming `field` */
  async destination(workspace: Owner, text: string, field: string): Promise<Single> {
    const found = await this.party(workspace, text, field)
    if (found.kind === 'voice_agent') {
      throw invalidField(
        field,
        `${field} is an extension that leads to a voice agent: the action connect_voice_agent connects a call with it`,
      )
    }
    if (found.kind === 'team') {
      throw invalidField(field, `${field} is an extension that leads to a team, not to one phone`)
    }
    return found
  }

  /** As {@link destination}, or any SIP URI. @throws 400 naming `field` */
  async operator(workspace: Owner, text: string, field: string): Promise<Operator> {
    if (!/^sips?:/i.test(text)) return this.destination(workspace, text, field)
    const inside = await this.inside(workspace, text)
    if (inside?.kind === 'phone') return inside
    const uri = parseSipUri(text)
    if (!uri) {
      throw invalidField(
        field,
        `${field} is no SIP URI: sip:user@host[:port][;transport=udp|tcp|tls], with a port from 1024`,
      )
    }
    if (`.${uri.host}`.endsWith(`.${this.options.sipDomain}`)) {
      throw invalidField(field, `${field} is no agent or SIP account of this workspace`)
    }
    if (!this.options.nextHops.allows(uri))
      throw invalidField(field, `${field} must lead to a public address`)
    return { kind: 'uri', uri }
  }

  /** @throws 400 naming `field` */
  async gateway(workspace: Owner, id: string, field: string): Promise<OutboundGateway> {
    const gateway = await this.options.outboundGateways.find(workspace, id)
    if (!gateway) throw invalidField(field, `${field} is not an outbound gateway of this workspace`)
    return gateway
  }

  /**
   * The caller id of a further leg: the call's own number if it may be used for outbound calls, else the workspace's
   * oldest that may.
   */
  async callerOf(workspace: Owner, own: PhoneNumber | null): Promise<PhoneNumber | null> {
    const isFit =
      own?.status === 'active' && own.enable_outbound && own.is_verified && own.outbound_gateway_id !== null
    return isFit ? own : this.options.phoneNumbers.findDefaultOutbound(workspace)
  }

  /** A number of the workspace that may be used as caller id, by its digits; null if there is no such number now. */
  async ownNumber(workspace: Owner, digits: string): Promise<PhoneNumber | null> {
    const own = await this.options.phoneNumbers.findByDigits(workspace, digits)
    const isFit = own?.status === 'active' && own.enable_outbound && own.is_verified
    return isFit ? own : null
  }

  /** The route to a destination that a script names, or why there is none. */
  async routeToOperator(
    workspace: Owner,
    { to, from, shown, gatewayId }: OperatorCall,
  ): Promise<Route | NoRoute> {
    if (to.kind === 'uri') return this.routeOutside(workspace, from, to.uri)
    return this.route(workspace, from, to, shown, gatewayId)
  }

  /**
   * The caller id of an outbound call: the number that is named, else the workspace's oldest that may be used.
   * @throws 400 naming `field`
   */
  async callerNumber(workspace: Owner, text: string | undefined, field: string): Promise<PhoneNumber> {
    if (text === undefined) {
      const number = await this.options.phoneNumbers.findDefaultOutbound(workspace)
      if (!number)
        throw invalidField(
          field,
          'the workspace has no active and verified number that is enabled for outbound calls',
        )
      return number
    }
    const number = await this.options.numbers.own(workspace, text)
    if (!number) throw invalidField(field, `${field} is not a number of this workspace`)
    if (number.status !== 'active') throw invalidField(field, `${field} is a number that is not active`)
    if (!number.enable_outbound) throw invalidField(field, `${field} is not enabled for outbound calls`)
    if (!number.is_verified) throw invalidField(field, unverified(field))
    return number
  }

  /**
   * The caller of a call of the API: a number of the workspace, or an agent by username. An agent shows its extension
   * or username inside the workspace, and a number that it may use outside; phones can be called without a number.
   * @param text `from.number`; undefined when the request has none
   * @throws 400 naming `from.number`
   */
  async caller(
    workspace: Owner,
    text: string | undefined,
    to: Party,
  ): Promise<{ number: PhoneNumber | null; shown: string }> {
    const field = 'from.number'
    const phone =
      text !== undefined && usernameRule.test(text)
        ? await this.options.phones.withUsername(workspace, text)
        : null
    if (phone?.kind === 'agent') {
      if (!isOutside(to)) return { number: null, shown: shownNumber(phone) }
      const number = await this.outboundNumberOf(phone)
      if (!number)
        throw invalidField(field, `${field} is an agent who may call with no number of this workspace`)
      return { number, shown: `+${number.number}` }
    }
    const number =
      !isOutside(to) && text === undefined
        ? await this.options.phoneNumbers.findDefaultOutbound(workspace)
        : await this.callerNumber(workspace, text, field)
    return { number, shown: number ? `+${number.number}` : anonymous }
  }

  /** The number with which a phone calls into the telephone network; null when it may not. */
  async outboundNumberOf(phone: Phone): Promise<PhoneNumber | null> {
    const workspace = { id: phone.workspace_id }
    if (phone.kind === 'agent') return this.options.phoneNumbers.findOutboundOfAgent(workspace, phone.id)
    if (!phone.outbound_caller_id) return null
    const number = await this.options.phoneNumbers.findByDigits(workspace, phone.outbound_caller_id)
    return number?.status === 'active' && number.enable_outbound ? number : null
  }

  /**
   * The route to a destination, for a call with a number of the workspace as caller id, or without one.
   * @param shown the caller as a phone displays it
   * @returns the route, or why there is none: a telephone number needs a caller id with a gateway, and a country and
   * a rate that let the workspace call
   */
  async route(
    workspace: Owner,
    from: PhoneNumber | null,
    to: Single,
    shown = from ? `+${from.number}` : anonymous,
    gatewayId = from?.outbound_gateway_id,
  ): Promise<Route | NoRoute> {
    if (to.kind === 'phone') return this.routeToPhone(to.phone, shown)
    if (to.kind === 'client') return routeToClient(to.sub)
    if (to.kind === 'short_number') return this.shortNumbers.route(workspace, from, to.dialled, gatewayId)
    const refusal = await this.options.limits.refusalOf(workspace, to.number)
    if (refusal) return new NoRoute(refusal)
    if (!from) return new NoRoute('no_number')
    if (!from.is_verified) return new NoRoute('number_unverified')
    const gateway = gatewayId ? await this.options.outboundGateways.find(workspace, gatewayId) : null
    if (!gateway) return new NoRoute('no_gateway')
    const rate = await this.rateOf(workspace, to.number.digits, from)
    if (!rate) return new NoRoute('rate_blocked')
    const way = await this.ways.over(workspace, gateway, from, { e164: to.number.digits })
    if (typeof way === 'string') return new NoRoute(way)
    if (!(await this.options.outboundGateways.mayShow(gateway))) return new NoRoute('number_unverified')
    return { number: to.number.digits, rate, phone: null, ...way }
  }

  /** What a call to a telephone number costs; null when it may not be called. */
  async rateOf(workspace: Owner, digits: string, from: PhoneNumber): Promise<Rate | null> {
    const { rates, limits } = this.options
    const rate = await rates.ofCall(workspace, 'outbound_call', digits, from.fee_per_mins_call)
    if (!rate) limits.refused(workspace)
    return rate
  }

  /** Highest rate of all candidate numbers; null if any is blocked. */
  private async highestRate(
    workspace: Owner,
    numbers: readonly string[],
    from: PhoneNumber,
  ): Promise<Rate | null> {
    let highest = free
    for (const digits of numbers) {
      const rate = await this.rateOf(workspace, digits, from)
      if (!rate) return null
      if (costOf(60, rate) >= costOf(60, highest)) highest = rate
    }
    return highest
  }

  /**
   * A SIP URI is free, as no carrier is involved. But a carrier that knows our address may pass a URI whose user part
   * is a telephone number into the telephone network: such a URI has the rules and the rate of that number.
   */
  private async routeOutside(
    workspace: Owner,
    from: PhoneNumber | null,
    uri: SipUri,
  ): Promise<Route | NoRoute> {
    const country = from?.country_code ?? null
    const refusal = await this.options.limits.refusalOfUri(workspace, uri.user, country)
    if (refusal) return new NoRoute(refusal)
    const hops = await this.hopsOutside(workspace, uri)
    if (hops.length === 0) return new NoRoute('uri_not_allowed')
    const numbers = numbersOf(uri.user, country)
    if (numbers.length > 0 && !from) return new NoRoute('no_number')
    if (from && !from.is_verified) return new NoRoute('number_unverified')
    const rate = from ? await this.highestRate(workspace, numbers, from) : free
    if (!rate) return new NoRoute('rate_blocked')
    const { user, host, port } = uri
    return {
      number: addressOf(uri).slice(0, 64),
      caller: { user: from ? `+${from.number}` : anonymous, domain: this.options.publicHost },
      ...{ rate, gatewayId: null, phone: null, credential: null, headers: {} },
      targets: hops.map((hop) => ({
        ...{ user, host, port, transport: hop.transport },
        nextHop: nextHopUri(hop),
      })),
    }
  }

  /**
   * The next hops of a SIP URI, without other workspaces' carriers: these know us by our address, and would charge
   * their customer.
   */
  private async hopsOutside(workspace: Owner, uri: SipUri): Promise<FoundHop[]> {
    const hops = await this.options.nextHops.of(uri)
    const { gatewayAddresses } = this.options
    const isOthers = await Promise.all(
      hops.map(async ({ address, port }) => gatewayAddresses.isOthers(workspace, uri.host, port, [address])),
    )
    return hops.filter((_, index) => !isOthers[index])
  }

  /** The route to a phone. @param shown the caller's number, extension or username */
  routeToPhone(phone: Registered, shown: string): Route {
    return routeToPhone(phone, asUser(shown), this.options.sipDomain)
  }

  /**
   * The route to a phone of the workspace.
   * @param id of a SIP account or an agent
   * @param shown the caller's number
   * @returns null when there is no such phone
   */
  async findPhoneRoute(workspace: Owner, id: string, shown: string): Promise<Route | null> {
    const phone = await this.options.phones.find(workspace, id)
    return phone && this.routeToPhone(phone, shown)
  }

  /** The route from one phone to another. It shows what to dial to call back, unless the caller id is withheld. */
  routeBetween(from: Phone, to: Phone, isWithheld = false): Route {
    return isWithheld
      ? routeToPhone(to, anonymous, anonymousDomain)
      : routeToPhone(to, shownNumber(from), from.domain)
  }

  /**
   * The route after a phone itself has forwarded the call (302), to another phone of the workspace. Outside numbers
   * cost money, so they are not called this way.
   * @param target Contact of the 302, as `user@host`
   * @returns null when the call is not forwarded
   */
  async forwarded(workspace: Owner, { phone, caller, isWithheld, forwardedBy = [] }: Route, target: string) {
    if (!phone) return null
    const by = [...forwardedBy, phone.id]
    const [user = '', host = ''] = target.split('@')
    const to = await this.inside(workspace, user, host)
    if (to?.kind !== 'phone' || by.includes(to.phone.id) || by.length > mostForwards) return null
    const route = routeToPhone(to.phone, caller.user, caller.domain)
    return { ...route, ...(isWithheld && { isWithheld }), forwardedBy: by }
  }

  private async inside(workspace: Owner, text: string, host = ''): Promise<Destination | null> {
    const { phones } = this.options
    const sub = subOf(text)
    if (sub !== null) return { kind: 'client', sub, dialled: text, name: sub }
    if (text.startsWith('si_')) {
      const phone = await phones.find(workspace, text)
      return phone && { kind: 'phone', phone, dialled: text, name: phone.title }
    }
    if (text.startsWith('te_')) {
      const [team] = await this.options.teams.findMany(workspace, [text])
      return team ? { kind: 'team', teamId: team.id, dialled: team.id, name: team.title } : null
    }
    if (/^\d{3,6}$/.test(text)) {
      const extension = await phones.extension(workspace, text)
      if (extension) {
        const { phone, teamId, voiceAgentId, title, destination } = extension
        const named = { dialled: text, name: title }
        if (phone) return { kind: 'phone', phone, ...named }
        if (teamId) return { kind: 'team', teamId, ...named }
        if (voiceAgentId) return { kind: 'voice_agent', voiceAgentId, ...named }
        return { kind: 'unavailable', ...named, leadsTo: destination }
      }
    }
    if (usernameRule.test(text)) {
      const phone = (await phones.at(workspace, text, host)) ?? (await phones.withUsername(workspace, text))
      if (phone) return this.named(phone)
    }
    const [, username, domain] = /^sip:([a-z0-9-]{3,30})@([a-z0-9.-]{1,190})$/i.exec(text) ?? []
    if (!username || !domain) return null
    const phone = await phones.at(workspace, username, domain.toLowerCase())
    return phone && this.named(phone)
  }

  private async named(phone: Phone): Promise<Destination> {
    return { kind: 'phone', phone, dialled: await this.options.phones.nameOf(phone), name: phone.title }
  }
}

/** The error for a caller id that is not verified. */
export function unverified(field: string): string {
  return `${field} is a number that is not verified: let the operator verify it, or verify it with a code (POST /phone-numbers/:id/verification)`
}

const article = {
  agent: 'an agent',
  team: 'a team',
  'sip-account': 'a SIP account',
  'voice-agent': 'a voice agent',
}

/** What others see of a phone, and dial to reach it. */
export function shownNumber(phone: Phone): string {
  return phone.extension ?? phone.username
}

/** The characters of a caller's name that may precede the @ of a SIP URI; anonymous if none is left. */
function asUser(shown: string): string {
  return shown.replace(/[^0-9A-Za-z+._-]/g, '') || anonymous
}

function routeToPhone(to: Registered, user: string, domain: string): Route {
  return {
    number: to.username,
    caller: { user, domain },
    rate: free,
    gatewayId: null,
    phone: { kind: to.kind, id: to.id },
    credential: null,
    encryption: 'optional',
    headers: toRegistered,
    targets: [{ user: to.username, host: to.domain, port: null, transport: 'udp' }],
  }
}
