/** What may stand where an address, a block or a host name is asked for. */
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A host name by RFC 1123, without a trailing dot. A name of digits and dots alone would be a broken address. */
export function isHostName(text: string): boolean {
  return (
    text.length <= 253 &&
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text) &&
    !/^[\d.]+$/.test(text)
  )
}

/** An address or a name. Zones (`fe80::1%eth0`) have a meaning on one machine only. */
export function isHost(text: string): boolean {
  return isAddress(text) || isHostName(text)
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%')
}

/** An IPv4 or IPv6 address, or a CIDR block of either. */
export function isAddressOrBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || !isAddress(address)) return false
  if (prefix === undefined) return true
  return /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128)
}

/**
 * One key for all spellings of an address or block, so that an entry is not taken twice: letters and zeros of IPv6
 * do not matter, nor do the bits beyond a block's prefix, nor whether an address is written as the block of itself.
 */
export function blockKey(text: string): string {
  const [address = '', prefix] = text.split('/')
  if (isIPv4(address)) return blockOf(ipaddr.IPv4, address, prefix ?? '32')
  // The URL parser writes every IPv6 address in one way, an IPv4 tail too, which ipaddr.js takes for a mapped address.
  const { hostname } = new URL(`http://[${address}]`)
  return blockOf(ipaddr.IPv6, hostname.slice(1, -1), prefix ?? '128')
}

function blockOf(kind: typeof ipaddr.IPv4 | typeof ipaddr.IPv6, address: string, prefix: string): string {
  return `${kind.networkAddressFromCIDR(`${address}/${prefix}`).toNormalizedString()}/${prefix}`
}
