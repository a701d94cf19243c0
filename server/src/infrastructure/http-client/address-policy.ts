/**
 * Which addresses the guarded client may connect to: those of the public Internet, and what the
 * operator allows of its own networks. The classes are IANA's special-purpose registries, as
 * ipaddr.js keeps them.
 */
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { type Network, within } from '../../lib/networks.js'

/** IANA has given out global unicast addresses of no other IPv6 block. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Where clouds answer their machines, credentials and all: Azure, Alibaba, Oracle, AWS (also that of containers),
 * Google, Scaleway. No wider network that the operator allows includes them.
 */
const cloudHosts = new Set(
  [
    ...[
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      '169.254.169.254',
      '169.254.170.2',
      '169.254.42.42',
    ],
    ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42'],
  ].map((text) => ipaddr.parse(text).toNormalizedString()),
)

export class AddressPolicy {
  constructor(private readonly allowedNetworks: readonly Network[]) {}

  /** Whether an address may be connected to. Text that is no address may not. */
  allows(text: string): boolean {
    if (!ipaddr.isValid(text)) return false
    // `::ffff:10.0.0.1` is 10.0.0.1; other ways of wrapping an IPv4 address are no global unicast.
    const address = ipaddr.process(text)
    return this.isAllowedByOperator(address) || (isPublic(address) && !isOwn(address))
  }

  private isAllowedByOperator(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    const isOfCloud = isCloudHost(address)
    return this.allowedNetworks.some(
      (network) => within(address, network) && (!isOfCloud || isOneAddress(network)),
    )
  }
}

function isCloudHost(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return cloudHosts.has(address.toNormalizedString())
}

function isOneAddress([address, bits]: Network): boolean {
  return bits === (address.kind() === 'ipv4' ? 32 : 128)
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (isCloudHost(address)) return false
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || within(address, globalUnicast))
}

/** This machine’s own public addresses lead to services that trust it, as its loopback does. */
function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own.some((one) => ipaddr.process(one.address).toNormalizedString() === address.toNormalizedString())
}
