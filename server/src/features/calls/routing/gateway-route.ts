/** How a call goes out over a gateway: number formats, caller id, and headers for the carrier. */
import type { GatewayRoute } from './route.js'
import { writeNumber } from '../../../adapters/sms/numbers.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { hostInUri } from '../../../infrastructure/http-client/next-hops.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { ClosedGateway, GatewayRoutes } from '../../sip-trunks/gateway-routes.js'
import type { OutboundGateway } from '../../sip-trunks/outbound-gateway.entity.js'
import type { OutboundGatewayService } from '../../sip-trunks/outbound-gateway.service.js'
import { anonymous } from '../../../adapters/freeswitch/caller-variables.js'
import type { CallLimits } from '../limits/call-limits.js'

/** The called number: E.164 digits, written in the carrier's format, or digits as dialled. */
export type Called = { e164: string } | { asDialled: string }

interface Options {
  outboundGateways: OutboundGatewayService
  gatewayRoutes: Pick<GatewayRoutes, 'targetsOf'>
  limits: Pick<CallLimits, 'maySign'>
  /** Host in the From header of calls to carriers, as written in a URI. */
  publicHost: string
}

export class GatewayRouting {
  constructor(private readonly options: Options) {}

  /**
   * @param from null if the caller has no number
   * @returns why the gateway cannot be used
   */
  async over(
    workspace: Owner,
    gateway: OutboundGateway,
    from: PhoneNumber | null,
    called: Called,
  ): Promise<GatewayRoute | ClosedGateway> {
    const { outboundGateways, gatewayRoutes, limits, publicHost } = this.options
    const targets = await gatewayRoutes.targetsOf(gateway)
    if (typeof targets === 'string') return targets
    const { country, number_prefix, number_format, caller_number_format } = gateway
    const written = (digits: string, format: typeof number_format) => {
      const settings = { country, number_prefix, number_format: format }
      const { text, needsType } = writeNumber(digits, settings, from?.country_code ?? '')
      return needsType ? `+${text}` : text
    }
    const { from_domain: domain, request_domain: requestHost, contact_host: contactHost } = gateway
    const isSigned = from !== null && gateway.is_signing && (await limits.maySign(workspace))
    const user = 'e164' in called ? written(called.e164, number_format) : called.asDialled
    return {
      caller: {
        user: from ? `+${from.number}` : anonymous,
        domain: domain === null ? publicHost : hostInUri(domain),
      },
      shownAs: {
        user: from ? written(from.number, caller_number_format) : anonymous,
        fromUser: gateway.from_user,
      },
      ...('e164' in called && {
        forwarding: {
          ...{ header: gateway.forwarded_calls, caller: gateway.forwarded_caller },
          write: (number) =>
            /^\+\d+$/.test(number) ? written(number.slice(1), caller_number_format) : number,
        },
      }),
      gatewayId: gateway.id,
      credential: outboundGateways.credentialOf(gateway),
      encryption: gateway.media_encryption,
      codecs: gateway.codecs,
      ...(isSigned && { attestation: from.verified_by === 'upgrade' ? 'B' : 'A' }),
      headers: contactHost === null ? {} : { 'X-Edge-Contact-Host': contactHost },
      targets: targets.map((target) => ({
        user,
        ...target,
        ...(requestHost !== null && target.nextHop !== undefined && { requestHost }),
      })),
    }
  }
}
