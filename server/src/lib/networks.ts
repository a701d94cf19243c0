/** Blocks of addresses in CIDR notation. */
import ipaddr from 'ipaddr.js'

/** A block of addresses, for example `10.20.0.0/16` or `fd12::/32`. */
export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** All addresses: for URLs that the operator gives. */
export const everywhere: readonly Network[] = [ipaddr.parseCIDR('0.0.0.0/0'), ipaddr.parseCIDR('::/0')]

/** Reads one block in CIDR notation; undefined when it is none. */
export function parseNetwork(text: string): Network | undefined {
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined
}

/** This machine. */
export const loopback: readonly Network[] = [ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('::1/128')]

/** Whether an address lies in a block. */
export function within(address: ipaddr.IPv4 | ipaddr.IPv6, network: Network): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}
