/**
 * Where a SIP request that customers ask for may be sent to: the addresses behind a host name, as RFC 3263 finds them
 * (section 4.2, by SRV unless a port is named, and without NAPTR), held to the same rules as the guarded client's. What is
 * returned is what is sent to: a name that resolves differently the next time gains nothing.
 */
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { AddressPolicy, type Network } from './address-policy.js'
import { HostAddresses } from './host-addresses.js'

/** What a SIP URI says of where it leads. */
export interface SipHost {
  /** A name or an address, IPv6 without brackets. */
  host: string
  port: number | null
  transport: 'udp' | 'tcp' | 'tls'
}

/** One address to send to. */
export interface NextHop {
  address: string
  port: number
}

/** An address that a host leads to. */
export interface FoundHop extends NextHop {
  /** Whether it is public, or in a network that the operator allows. */
  isAllowed: boolean
}

interface Settings {
  allowed_networks: readonly Network[]
  dns_servers: readonly string[]
}

const tryMs = 2_000
const tries = 2

/** More than a few servers of one name are not tried for a caller who waits. */
export const maxHops = 4

const services = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }
const defaultPorts = { udp: 5060, tcp: 5060, tls: 5061 }

export class NextHops {
  private readonly policy: AddressPolicy
  private readonly resolver = new Resolver({ timeout: tryMs, tries })
  private readonly addresses: HostAddresses

  constructor({ allowed_networks, dns_servers }: Settings) {
    this.policy = new AddressPolicy(allowed_networks)
    this.addresses = new HostAddresses(dns_servers)
    if (dns_servers.length > 0) this.resolver.setServers(dns_servers)
  }

  /** Whether a host may be asked for at all; where a name leads is seen when it is dialled. */
  allows({ host }: Pick<SipHost, 'host'>): boolean {
    return isIP(host) === 0 || this.policy.allows(host)
  }

  /** In the order in which they are tried; none when nothing there may be sent to. Never throws. */
  async of(host: SipHost): Promise<NextHop[]> {
    return (await this.found(host)).filter(({ isAllowed }) => isAllowed).slice(0, maxHops)
  }

  /** All that a host leads to, in the order of {@link of}, with whether it may be sent to. Never throws. */
  async found({ host, port, transport }: SipHost): Promise<FoundHop[]> {
    const servers = await this.servers(host, port, transport)
    const found = await Promise.all(
      servers.map(async ({ name, port: at }) =>
        (await this.addresses.of(name)).map((address) => ({ address, port: at })),
      ),
    )
    return found.flat().map((hop) => ({ ...hop, isAllowed: this.policy.allows(hop.address) }))
  }

  private async servers(host: string, port: number | null, transport: SipHost['transport']) {
    const plain = [{ name: host, port: portOf({ port, transport }) }]
    if (port !== null || isIP(host) !== 0) return plain
    const records = await this.resolver.resolveSrv(`${services[transport]}.${host}`).catch(() => [])
    const usable = records.filter(({ name, port: named }) => name !== '' && named >= lowestPort)
    if (usable.length === 0) return plain
    return usable.sort((a, b) => a.priority - b.priority || b.weight - a.weight).slice(0, maxHops)
  }

  /** All that a host leads to, whether it may be sent to or not. Never throws. */
  async addressesOf(host: string): Promise<string[]> {
    return this.addresses.of(host)
  }

  /** Ends the questions that are under way. */
  cancel(): void {
    this.addresses.cancel()
    this.resolver.cancel()
  }
}

/** Where SIP is spoken at a host when it names no port. */
export function portOf({ port, transport }: Pick<SipHost, 'port' | 'transport'>): number {
  return port ?? defaultPorts[transport]
}

/** Where the edge is to send a request: `sip:address:port;transport=x`. */
export function nextHopUri({ address, port }: NextHop, transport: SipHost['transport']): string {
  return `sip:${address.includes(':') ? `[${address}]` : address}:${port};transport=${transport}`
}

/** Below are the ports of other services: a call must not be made to speak to a mail or name server. */
export const lowestPort = 1_024
