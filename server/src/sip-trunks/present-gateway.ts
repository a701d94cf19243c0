import type { GatewayReach, Reachability } from './gateway-reach.js'
import type { OutboundGateway } from './outbound-gateway.entity.js'

/** Gateways with what their addresses say. */
export class GatewayPresenter {
  constructor(private readonly reach: Pick<GatewayReach, 'of'>) {}

  async one(gateway: OutboundGateway) {
    return (await this.forAll([gateway]))(gateway)
  }

  /** @returns what presents each of them */
  async forAll(gateways: readonly OutboundGateway[]) {
    const reachability = await this.reach.of(gateways)
    return (gateway: OutboundGateway) => presentGateway(gateway, reachability.get(gateway.id))
  }
}

/** The password is never among what is returned. */
function presentGateway(gateway: OutboundGateway, reachability?: readonly Reachability[]) {
  const { credential_username, credential_password: _, from_user_approved: __, ...fields } = gateway
  return {
    ...fields,
    ...(credential_username !== null && { credential: { username: credential_username } }),
    ...(reachability && { reachability: reachability.map(presentReachability) }),
    created_at: gateway.created_at.toISOString(),
    updated_at: gateway.updated_at.toISOString(),
  }
}

function presentReachability({ since, checked_at, ...fields }: Reachability) {
  return {
    ...fields,
    since: since?.toISOString() ?? null,
    checked_at: checked_at?.toISOString() ?? null,
  }
}
