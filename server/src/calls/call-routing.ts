/** Who a call reaches and what it costs: from the numbers that people write to a gateway's addresses. */
import type { Owner } from '../database/workspace-table.js'
import { invalidField } from '../http/errors.js'
import { type ParsedNumber, internationalNumber } from '../phone-numbers/e164.js'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { PhoneNumberService } from '../phone-numbers/phone-number.service.js'
import type { OutboundUri } from '../sip-trunks/outbound-gateway.entity.js'
import type { Credential, OutboundGatewayService } from '../sip-trunks/outbound-gateway.service.js'

/** A way over one of the workspace's gateways to a number in the telephone network. */
export interface TrunkRoute {
  /** Digits that are dialled. */
  number: string
  /** Digits of the number that the call goes out with. */
  callerId: string
  phoneNumberId: string
  /** USD a minute. */
  feePerMinute: number
  gatewayId: string
  credential: Credential | null
  /** In the order in which they are tried. */
  uris: readonly OutboundUri[]
}

export class CallRouting {
  constructor(
    private readonly phoneNumbers: PhoneNumberService,
    private readonly outboundGateways: OutboundGatewayService,
  ) {}

  /**
   * Reads whom a call goes to. Extensions and agents come with later steps: until then only numbers
   * can be reached.
   * @throws 400 naming `field`
   */
  destination(text: string, field: string): ParsedNumber {
    const number = internationalNumber(text)
    if (!number) {
      throw invalidField(field, `${field} is neither a possible E.164 number nor a known extension or agent`)
    }
    return number
  }

  /**
   * The number that a call goes out with: the one that is named, else the workspace's oldest that may.
   * @throws 400 naming `field`
   */
  async callerNumber(workspace: Owner, text: string | undefined, field: string): Promise<PhoneNumber> {
    if (text === undefined) {
      const number = await this.phoneNumbers.findDefaultOutbound(workspace)
      if (!number)
        throw invalidField(field, 'the workspace has no active number that is enabled for outbound calls')
      return number
    }
    const parsed = internationalNumber(text)
    const number = parsed && (await this.phoneNumbers.findByDigits(workspace, parsed.digits))
    if (!number) throw invalidField(field, `${field} is not a number of this workspace`)
    if (number.status !== 'active') throw invalidField(field, `${field} is a number that is not active`)
    if (!number.enable_outbound) throw invalidField(field, `${field} is not enabled for outbound calls`)
    return number
  }

  /** The trunk route of a number; null when its gateway is gone. */
  async route(workspace: Owner, from: PhoneNumber, to: ParsedNumber): Promise<TrunkRoute | null> {
    const gateway = from.outbound_gateway_id
      ? await this.outboundGateways.find(workspace, from.outbound_gateway_id)
      : null
    if (!gateway) return null
    return {
      number: to.digits,
      callerId: from.number,
      phoneNumberId: from.id,
      feePerMinute: from.fee_per_mins_call,
      gatewayId: gateway.id,
      credential: this.outboundGateways.credentialOf(gateway),
      uris: [...gateway.outbound_uris].sort((a, b) => a.priority - b.priority),
    }
  }
}
