/** Short numbers that carriers serve (411, 116117, 118…): dialled unchanged, over the gateways that list them. */
import type { Route } from './route.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { WorkspaceNumbers } from '../../phone-numbers/workspace-numbers.js'
import { type Rate, perMinute } from '../../rates/rating.js'
import type { OutboundGatewayService } from '../../sip-trunks/outbound-gateway.service.js'
import type { CallLimits } from '../limits/call-limits.js'
import type { GatewayRouting } from './gateway-route.js'
import { NoRoute } from '../model/no-route.js'

export interface ShortNumber {
  kind: 'short_number'
  dialled: string
  name: string
}

interface Options {
  numbers: Pick<WorkspaceNumbers, 'isEmergency'>
  outboundGateways: Pick<OutboundGatewayService, 'find' | 'idsWithShortNumber' | 'mayShow'>
  limits: Pick<CallLimits, 'refusalOf'>
}

/** True if a call leaves the workspace, so that it needs a verified caller id. */
export function isOutside<T extends { kind: string }>(
  to: T,
): to is Extract<T, { kind: 'number' | 'short_number' }> {
  const { kind } = to
  return kind === 'number' || kind === 'short_number'
}

/** The caller id's fee: rates match prefixes of E.164, where 411 would be charged as Switzerland. */
export function shortNumberRate(from: PhoneNumber): Rate {
  return perMinute(from.fee_per_mins_call)
}

/** A short number is in the country of the number that calls it. */
export function shortNumberReach({ country_code }: PhoneNumber) {
  return { countries: [country_code] }
}

export class ShortNumbers {
  constructor(
    private readonly options: Options,
    private readonly ways: GatewayRouting,
  ) {}

  /** @returns null for digits that no active gateway of the workspace lists, and for emergency numbers */
  async find(workspace: Owner, text: string): Promise<ShortNumber | null> {
    if (!/^\d{2,8}$/.test(text)) return null
    const { numbers, outboundGateways } = this.options
    const [gateway] = await outboundGateways.idsWithShortNumber(workspace, text)
    if (!gateway || (await numbers.isEmergency(workspace, text))) return null
    return { kind: 'short_number', dialled: text, name: text }
  }

  /**
   * A route over the caller id's gateway if it lists the digits, else over the oldest that does.
   * @param gatewayId the caller id's, or one that a script names, which must list them
   * @returns why there is none
   */
  async route(
    workspace: Owner,
    from: PhoneNumber | null,
    digits: string,
    gatewayId: string | null | undefined,
  ): Promise<Route | NoRoute> {
    const { limits, outboundGateways } = this.options
    if (!from) return new NoRoute('no_number')
    const refusal = await limits.refusalOf(workspace, shortNumberReach(from))
    if (refusal) return new NoRoute(refusal)
    if (!from.is_verified) return new NoRoute('number_unverified')
    const ids = await outboundGateways.idsWithShortNumber(workspace, digits)
    const isNamed = gatewayId !== from.outbound_gateway_id
    const id = ids.find((listed) => listed === gatewayId) ?? (isNamed ? undefined : ids[0])
    const gateway = id === undefined ? null : await outboundGateways.find(workspace, id)
    if (!gateway) return new NoRoute('no_gateway')
    const way = await this.ways.over(workspace, gateway, from, { asDialled: digits })
    if (typeof way === 'string') return new NoRoute(way)
    if (!(await outboundGateways.mayShow(gateway))) return new NoRoute('number_unverified')
    return { number: digits, rate: shortNumberRate(from), phone: null, ...way }
  }
}
