/** Where requests come from. */
import ipaddr from 'ipaddr.js'
import { type Network, within } from '../../lib/networks.js'

/**
 * The address of a client: the peer's, or the one that trusted proxies have seen.
 * @param forwarded `X-Forwarded-For`, to which each proxy appends its peer: what comes before the last entry of a trusted
 *   proxy may be made up
 */
export function clientAddress(peer: string, forwarded: string, proxies: readonly Network[]): string {
  const seen = forwarded.split(',').map((entry) => entry.trim())
  let address = peer
  while (isAmong(address, proxies)) {
    const next = seen.pop()
    if (next === undefined || !ipaddr.isValid(next)) break
    address = next
  }
  return addressText(address)
}

/** The one spelling in which addresses are logged: IPv4 in IPv6 as IPv4, IPv6 short and in small letters. */
export function addressText(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

/** What counts as one source: an IPv4 address, or the /64 that a single machine has all of. */
export function sourceOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const { parts } = ipaddr.IPv6.parse(address)
  return new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0]).toString()
}

/** Whether an address is within one of the networks; what is no address is in none. */
export function isAmong(address: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some((network) => within(parsed, network))
}
