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

/** Addresses from one to another, both among them. */
export interface AddressRange {
  /** 16 bytes; IPv4 as `::ffff:a.b.c.d`. */
  first: Buffer
  last: Buffer
  /** Wider than an IPv4 /16 or an IPv6 /32: no carrier's network is meant by it, but the world or much of it. */
  isWide: boolean
}

const mappedIpv4 = { first: 0xffff_0000_0000n, last: 0xffff_ffff_ffffn }

/**
 * The range of an address or block. It is the same for all spellings: letters and zeros of IPv6 do not matter, nor do
 * the bits beyond a block's prefix, nor whether an address is written as the block of itself.
 */
export function rangeOf(text: string): AddressRange {
  const [address = '', prefix] = text.split('/')
  const fixed = prefix === undefined ? 128 : Number(prefix) + (isIPv4(address) ? 96 : 0)
  const rest = (1n << BigInt(128 - fixed)) - 1n
  const value = valueOf(address)
  const [first, last] = [value & ~rest, value | rest]
  const holdsIpv4 = first <= mappedIpv4.last && last >= mappedIpv4.first
  return { first: bytesOf(first), last: bytesOf(last), isWide: fixed < (holdsIpv4 ? 112 : 32) }
}

/** The text of an address of 16 bytes. */
export function addressOf(bytes: Buffer): string {
  return ipaddr.process(ipaddr.fromByteArray([...bytes]).toString()).toString()
}

function valueOf(address: string): bigint {
  // The URL parser writes every IPv6 address in one way, an IPv4 tail too, which ipaddr.js takes for a mapped address.
  const plain = isIPv4(address) ? `::ffff:${address}` : address
  const { hostname } = new URL(`http://[${plain}]`)
  return BigInt(`0x${Buffer.from(ipaddr.parse(hostname.slice(1, -1)).toByteArray()).toString('hex')}`)
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(32, '0'), 'hex')
}
