/** Who a call reaches, over which addresses, and what it costs. */
import type { Owner } from '../database/workspace-table.js'
import { invalidField } from '../http/errors.js'
import { type ParsedNumber, dialledNumber, internationalNumber } from '../phone-numbers/e164.js'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { PhoneNumberService } from '../phone-numbers/phone-number.service.js'
import type { Credential, OutboundGatewayService } from '../sip-trunks/outbound-gateway.service.js'
import type { DialTarget } from '../switch/dial-string.js'
import type { ExtensionTarget, Phone, Phones } from './phones.js'

/** Whom somebody wants to reach. */
export type Destination =
  | { kind: 'number'; number: ParsedNumber }
  /** `dialled`: the extension or username by which it was named. */
  | { kind: 'phone'; phone: Phone; dialled: string; name: string }
  /** An extension whose destination cannot be called yet. */
  | { kind: 'unavailable'; dialled: string; name: string; leadsTo: ExtensionTarget['destination'] }

/** A way to somebody: over a gateway into the telephone network, or to what is registered with a SIP account. */
export interface Route {
  /** Digits of a telephone number, or the username of a SIP account. */
  number: string
  /** How the caller is shown: `sip:user@domain`. */
  caller: { user: string; domain: string }
  /** USD a minute. */
  feePerMinute: number
  /** Set on a way over a gateway. */
  gatewayId: string | null
  /** Set on a way to a SIP account. */
  sipAccountId: string | null
  credential: Credential | null
  /** Headers of the INVITE, for the edge. */
  headers: Readonly<Record<string, string>>
  /** In the order in which they are tried. */
  targets: readonly Omit<DialTarget, 'proxy'>[]
}

/** Who calls without showing a number. */
export const anonymous = 'anonymous'

/** Tell the edge that a call goes to what is registered, and to which kind of it. */
const toRegistered = { 'X-Edge-Destination': 'account', 'X-Edge-Class': 'sip' }

interface Options {
  phoneNumbers: PhoneNumberService
  outboundGateways: OutboundGatewayService
  phones: Phones
  /** Domain that our calls into the telephone network carry in From. */
  sipDomain: string
}

export class CallRouting {
  constructor(private readonly options: Options) {}

  /**
   * Reads whom a call goes to: an extension, the username or SIP URI of a SIP account, or a number in E.164, looked
   * for in this order.
   */
  async find(workspace: Owner, text: string): Promise<Destination | null> {
    const inside = await this.inside(workspace, text)
    if (inside) return inside
    const number = internationalNumber(text)
    return number && { kind: 'number', number }
  }

  /** Reads what was dialled on a phone: as {@link find}, and numbers as people of that country dial them. */
  async findDialled(workspace: Owner, text: string, country: string): Promise<Destination | null> {
    const inside = await this.inside(workspace, text)
    if (inside) return inside
    const number = dialledNumber(text, country)
    return number && { kind: 'number', number }
  }

  /** As {@link find}, for a request. @throws 400 naming `field` */
  async destination(
    workspace: Owner,
    text: string,
    field: string,
  ): Promise<Exclude<Destination, { kind: 'unavailable' }>> {
    const found = await this.find(workspace, text)
    if (!found) {
      throw invalidField(
        field,
        `${field} is neither a possible E.164 number nor an extension or SIP account of this workspace`,
      )
    }
    if (found.kind === 'unavailable') {
      throw invalidField(
        field,
        `${field} is an extension that leads to ${article[found.leadsTo]}, which cannot be called yet`,
      )
    }
    return found
  }

  /**
   * The number that a call goes out with: the one that is named, else the workspace's oldest that may.
   * @throws 400 naming `field`
   */
  async callerNumber(workspace: Owner, text: string | undefined, field: string): Promise<PhoneNumber> {
    if (text === undefined) {
      const number = await this.options.phoneNumbers.findDefaultOutbound(workspace)
      if (!number)
        throw invalidField(field, 'the workspace has no active number that is enabled for outbound calls')
      return number
    }
    const parsed = internationalNumber(text)
    const number = parsed && (await this.options.phoneNumbers.findByDigits(workspace, parsed.digits))
    if (!number) throw invalidField(field, `${field} is not a number of this workspace`)
    if (number.status !== 'active') throw invalidField(field, `${field} is a number that is not active`)
    if (!number.enable_outbound) throw invalidField(field, `${field} is not enabled for outbound calls`)
    return number
  }

  /** The number with which a phone calls into the telephone network; null when it may not. */
  async outboundNumberOf(phone: Phone): Promise<PhoneNumber | null> {
    if (!phone.outbound_caller_id) return null
    const workspace = { id: phone.workspace_id }
    const number = await this.options.phoneNumbers.findByDigits(workspace, phone.outbound_caller_id)
    return number?.status === 'active' && number.enable_outbound ? number : null
  }

  /**
   * The way to a destination for a call that shows a number of the workspace, or none.
   * @returns null when there is none: a telephone number needs a number to call with, and its gateway
   */
  async route(
    workspace: Owner,
    from: PhoneNumber | null,
    to: Exclude<Destination, { kind: 'unavailable' }>,
  ): Promise<Route | null> {
    if (to.kind === 'phone') {
      return routeToPhone(to.phone, from ? `+${from.number}` : anonymous, this.options.sipDomain)
    }
    const gateway = from?.outbound_gateway_id
      ? await this.options.outboundGateways.find(workspace, from.outbound_gateway_id)
      : null
    if (!from || !gateway) return null
    return {
      number: to.number.digits,
      caller: { user: `+${from.number}`, domain: this.options.sipDomain },
      feePerMinute: from.fee_per_mins_call,
      gatewayId: gateway.id,
      sipAccountId: null,
      credential: this.options.outboundGateways.credentialOf(gateway),
      headers: {},
      targets: [...gateway.outbound_uris]
        .sort((a, b) => a.priority - b.priority)
        .map(({ uri, port, protocol }) => ({
          user: `+${to.number.digits}`,
          host: uri,
          port,
          transport: protocol,
        })),
    }
  }

  /** The way from one phone to another: it shows what can be dialled to call back. */
  routeBetween(from: Phone, to: Phone): Route {
    return routeToPhone(to, shownNumber(from), from.domain)
  }

  private async inside(workspace: Owner, text: string): Promise<Destination | null> {
    const { phones } = this.options
    if (/^\d{3,6}$/.test(text)) {
      const extension = await phones.extension(workspace, text)
      if (extension) {
        const { phone, title, destination } = extension
        return phone
          ? { kind: 'phone', phone, dialled: text, name: title }
          : { kind: 'unavailable', dialled: text, name: title, leadsTo: destination }
      }
    }
    if (/^[a-z0-9]{3,30}$/.test(text)) {
      const phone = await phones.withUsername(workspace, text)
      return phone && { kind: 'phone', phone, dialled: text, name: phone.title }
    }
    const [, username, domain] = /^sip:([a-z0-9]{3,30})@([a-z0-9.-]{1,190})$/i.exec(text) ?? []
    if (!username || !domain) return null
    const phone = await phones.at(workspace, username, domain.toLowerCase())
    return phone && { kind: 'phone', phone, dialled: username, name: phone.title }
  }
}

const article = {
  agent: 'an agent',
  team: 'a team',
  'sip-account': 'a SIP account',
  'voice-agent': 'a voice agent',
}

/** What others see and dial of a phone. */
export function shownNumber(phone: Phone): string {
  return phone.extension ?? phone.username
}

function routeToPhone(to: Phone, user: string, domain: string): Route {
  return {
    number: to.username,
    caller: { user, domain },
    feePerMinute: 0,
    gatewayId: null,
    sipAccountId: to.id,
    credential: null,
    headers: toRegistered,
    targets: [{ user: to.username, host: to.domain, port: null, transport: 'udp' }],
  }
}
