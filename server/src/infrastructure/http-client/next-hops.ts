/**
 * Where a SIP request that customers ask for may be sent to: the addresses behind a host name, as RFC 3263 finds them, held to the
 * same rules as the guarded client's. What is returned is what is sent to: a name that resolves differently the next time gains
 * nothing.
 */
import { isIP } from 'node:net'
import { grouped } from '../../lib/grouped.js'
import { AddressPolicy } from './address-policy.js'
import { type Network } from '../../lib/networks.js'
import { HostAddresses } from './host-addresses.js'
import { type SipHost, type SipServer, SipServers, lowestPort } from './sip-servers.js'

/** One address to send to. */
export interface NextHop extends Pick<SipServer, 'port' | 'transport'> {
  address: string
}

/** An address that a host leads to. */
export interface FoundHop extends NextHop {
  /** Whether it is public, or in a network that the operator allows. */
  isAllowed: boolean
  /** The server whose address it is, where an SRV record names one. */
  server: string | null
}

interface Settings {
  allowed_networks: readonly Network[]
  dns_servers: readonly string[]
}

/** More addresses of one host are not tried while a caller waits. */
const maxHops = 4

export class NextHops {
  private readonly policy: AddressPolicy
  private readonly servers: SipServers
  private readonly addresses: HostAddresses

  constructor({ allowed_networks, dns_servers }: Settings) {
    this.policy = new AddressPolicy(allowed_networks)
    this.servers = new SipServers(dns_servers)
    this.addresses = new HostAddresses(dns_servers)
  }

  /** Whether a host may be asked for at all; where a name leads is seen when it is dialled. */
  allows({ host }: Pick<SipHost, 'host'>): boolean {
    return isIP(host) === 0 || this.policy.allows(host)
  }

  /** In the order in which they are tried; none when nothing there may be sent to. Never throws. */
  async of(host: SipHost): Promise<FoundHop[]> {
    const found = await this.found(host)
    return fewOf(found.filter(({ isAllowed, port }) => isAllowed && port >= lowestPort))
  }

  /** All that a host leads to, in the order of {@link of}, with whether it may be sent to. Never throws. */
  async found(host: SipHost): Promise<FoundHop[]> {
    const servers = await this.servers.of(host)
    const found = await Promise.all(
      servers.map(async ({ name, port, transport, isBySrv }) =>
        (await this.addresses.of(name)).map((address) => ({
          ...{ address, port, transport, server: isBySrv ? name : null },
          isAllowed: this.policy.allows(address),
        })),
      ),
    )
    return found.flat()
  }

  /** Ends the questions that are under way. */
  cancel(): void {
    this.addresses.cancel()
    this.servers.cancel()
  }
}

/** The addresses of one host to try: a few of each server, so that one that is down leaves time for the next. */
export function fewOf<H extends Pick<FoundHop, 'server' | 'port'>>(hops: readonly H[]): H[] {
  const byServer = [...grouped(hops, ({ server, port }) => `${server} ${port}`).values()].slice(0, maxHops)
  const ofEach = Math.max(1, Math.floor(maxHops / byServer.length))
  return byServer.flatMap((those) => those.slice(0, ofEach))
}

/** Where the edge is to send a request: `sip:address:port;transport=x`. */
export function nextHopUri({ address, port, transport }: NextHop): string {
  return `sip:${hostInUri(address)}:${port};transport=${transport}`
}

/** An IPv6 address is in brackets in a URI. */
export function hostInUri(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
