/** Who calls, as the switch writes it into an INVITE. */
import { dialledName } from './dial-string.js'

/** Shown as `"name" <sip:user@domain>`. */
export interface CallerId {
  readonly user: string
  readonly name: string
  readonly domain: string
  /** User part of From, if it is not {@link user}; P-Asserted-Identity carries {@link user}. */
  readonly fromUser?: string | null
  /** Result of the number's verification, in the values of `verstat`. */
  readonly verstat?: string
  /** Whether From is anonymous: only P-Asserted-Identity has the number, which the far end is trusted with (RFC 3325). */
  readonly isWithheld?: boolean
}

/** Who calls without showing a number. */
export const anonymous = 'anonymous'

/** The host of an anonymous address (RFC 3323 section 4.1.1.3). */
export const anonymousDomain = 'anonymous.invalid'

/** Channel variables of mod_sofia for the caller's identity. */
export function callerVariables({
  user,
  fromUser,
  name,
  domain,
  verstat,
  isWithheld,
}: CallerId): Record<string, string> {
  const identity = `sip:${user}@${domain}`
  const asserted = verstat ? `sip:${user};verstat=${verstat}@${domain};user=phone` : identity
  return {
    sip_cid_type: 'none',
    sip_from_uri: isWithheld ? `sip:${anonymous}@${anonymousDomain}` : `sip:${fromUser ?? user}@${domain}`,
    sip_from_display: isWithheld ? 'Anonymous' : dialledName(name),
    'sip_h_P-Asserted-Identity': `<${asserted}>`,
    ...(isWithheld && { sip_h_Privacy: 'id' }),
  }
}
