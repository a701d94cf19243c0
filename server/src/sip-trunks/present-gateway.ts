import type { OutboundGateway } from './outbound-gateway.entity.js'

/** The password is never among what is returned. */
export function presentGateway(gateway: OutboundGateway) {
  const { credential_username, credential_password: _, from_user_approved: __, ...fields } = gateway
  return {
    ...fields,
    ...(credential_username !== null && { credential: { username: credential_username } }),
    created_at: gateway.created_at.toISOString(),
    updated_at: gateway.updated_at.toISOString(),
  }
}
