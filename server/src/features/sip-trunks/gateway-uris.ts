/** The addresses of a gateway, as a request gives them. */
import { isIP } from 'node:net'
import { ValidationError } from '../../infrastructure/http/errors.js'
import { isSimulatedHost } from './gateway-addresses.js'
import { isHost } from '../../lib/hosts.js'
import type { HostLookup, OutboundUri } from './outbound-gateway.entity.js'
import type { OutboundUriInput } from './sip-trunk.schema.js'

/**
 * Fills in what is left out. Without a port, or a transport, DNS says which (RFC 3263).
 * @param before the addresses until now: one that is sent again without `lookup` keeps its `lookup`, for clients that do
 *   not know that field
 */
export function completeUris(
  uris: readonly OutboundUriInput[],
  before: readonly OutboundUri[] = [],
): OutboundUri[] {
  return uris.map((input) => {
    const { uri, port = 5060, protocol = 'udp', priority } = input
    const lookup = lookupOf(input, before)
    return { uri, port, protocol, priority, ...(lookup && { lookup }) }
  })
}

function lookupOf(
  { uri, port, protocol, lookup }: OutboundUriInput,
  before: readonly OutboundUri[],
): HostLookup | undefined {
  if (isIP(uri) !== 0 || isSimulatedHost(uri)) return undefined
  if (lookup) return lookup === 'address' ? undefined : lookup
  if (port === undefined) return protocol === undefined ? 'naptr' : 'srv'
  const isSame = (one: OutboundUri) =>
    one.uri.toLowerCase() === uri.toLowerCase() && one.port === port && one.protocol === (protocol ?? 'udp')
  return before.find(isSame)?.lookup
}

/** @throws 400 naming each that is no host */
export function checkUris(uris: readonly Pick<OutboundUri, 'uri'>[]): void {
  const problems = uris.flatMap(({ uri }, index) => {
    const field = `outbound_uris.${index}.uri`
    return isHost(uri) ? [] : [{ field, messages: [`${field} must be an IP address or a host name`] }]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}
