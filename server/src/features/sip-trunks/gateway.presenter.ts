import { withTimes } from '../../infrastructure/resources/with-times.js'
import type { GatewayReach, Reachability } from './gateway-reach.js'
import type { GatewayRegistration } from './gateway-registration.entity.js'
import type { GatewayRegistrations } from './gateway-registrations.js'
import type { OutboundGateway } from './outbound-gateway.entity.js'

/** Gateways with what their addresses say. */
export class GatewayPresenter {
  constructor(
    private readonly reach: Pick<GatewayReach, 'of'>,
    private readonly registrations: Pick<GatewayRegistrations, 'of'>,
  ) {}

  async present(gateway: OutboundGateway) {
    return (await this.presenting([gateway]))(gateway)
  }

  /** @returns what presents each of them */
  async presenting(gateways: readonly OutboundGateway[]) {
    const [reachability, registrations] = await Promise.all([
      this.reach.of(gateways),
      this.registrations.of(gateways.map(({ id }) => id)),
    ])
    return (gateway: OutboundGateway) =>
      presentGateway(gateway, reachability.get(gateway.id), registrations.get(gateway.id))
  }
}

/** The password is never among what is returned. */
function presentGateway(
  gateway: OutboundGateway,
  reachability?: readonly Reachability[],
  registration?: GatewayRegistration,
) {
  const { credential_username, credential_password: _, ...rest } = gateway
  const { from_user_approved: __, registration_serial: ___, ...fields } = rest
  return {
    ...withTimes(fields),
    ...(credential_username !== null && { credential: { username: credential_username } }),
    registration: registrationOf(gateway, registration),
    ...(reachability && { reachability: reachability.map(presentReachability) }),
  }
}

function presentReachability({ since, checked_at, ...fields }: Reachability) {
  return {
    ...fields,
    since: since?.toISOString() ?? null,
    checked_at: checked_at?.toISOString() ?? null,
  }
}

/** A gateway that waits for approval has none yet. */
function registrationOf({ register, updated_at }: OutboundGateway, row: GatewayRegistration | undefined) {
  if (!register) return null
  return {
    ...{ status: row?.status ?? ('waiting' as const), sip_code: row?.sip_code ?? null },
    ...{ reason: row?.reason ?? null, registered_until: row?.registered_until?.toISOString() ?? null },
    since: (row?.since ?? updated_at).toISOString(),
  }
}
