/** What may stand where an address, a block or a host name is asked for. */
import { isIP, isIPv4 } from 'node:net'

/** A host name by RFC 1123, without a trailing dot. A name of digits and dots alone would be a broken address. */
export function isHostName(text: string): boolean {
  return (
    text.length <= 253 &&
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text) &&
    !/^[\d.]+$/.test(text)
  )
}

export function isHost(text: string): boolean {
  return isIP(text) !== 0 || isHostName(text)
}

/** An IPv4 or IPv6 address, or a CIDR block of either. */
export function isAddressOrBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128)
}
