/** The servers of a SIP host, by NAPTR and SRV (RFC 3263 section 4, RFC 2782). */
import type { NaptrRecord, SrvRecord } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { DnsMemory, silenceOf } from './dns-memory.js'

export const sipTransports = ['udp', 'tcp', 'tls'] as const
export type SipTransport = (typeof sipTransports)[number]

/** What a SIP URI or a gateway says of where it leads. */
export interface SipHost {
  /** A name or an address, IPv6 without brackets. */
  host: string
  /** Null where SRV records say it. */
  port: number | null
  /** Null where NAPTR records say it, too; only with a port of null. */
  transport: SipTransport | null
  /** The port where there are no SRV records; that of the transport by default. */
  otherwise?: number
}

export interface SipServer {
  /** A name or an address. */
  name: string
  port: number
  transport: SipTransport
  /** Whether an SRV record leads there. */
  isBySrv: boolean
}

const tryMs = 2_000
const tries = 2

/** More servers of one host are not tried while a caller waits. */
const mostServers = 4

const services = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }
const defaultPorts = { udp: 5060, tcp: 5060, tls: 5061 }

/** Of NAPTR records (RFC 3263 section 4.1). */
const transportOfService: Readonly<Record<string, SipTransport>> = {
  'SIP+D2U': 'udp',
  'SIP+D2T': 'tcp',
  'SIPS+D2T': 'tls',
}

/** Below are the ports of other services: a call must not be made to speak to a mail or name server. */
export const lowestPort = 1_024

export class SipServers {
  private readonly resolver = new Resolver({ timeout: tryMs, tries })
  // Node.js reports no TTL of these records: they are cached for the shortest time, and by the name server.
  private readonly srv = new DnsMemory<SrvRecord>(async (name) =>
    heard(await this.resolver.resolveSrv(name).catch(silenceOf)),
  )
  private readonly naptr = new DnsMemory<NaptrRecord>(async (name) =>
    heard(await this.resolver.resolveNaptr(name).catch(silenceOf)),
  )

  /** @param servers `host` or `host:port`; the system's when empty */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers)
  }

  /** In the order in which they are tried; none where DNS says that there is no SIP at this host. Never throws. */
  async of({ host, port, transport, otherwise }: SipHost): Promise<SipServer[]> {
    const plain = (by: SipTransport): SipServer[] => [
      { name: host, port: port ?? otherwise ?? defaultPorts[by], transport: by, isBySrv: false },
    ]
    if (port !== null || isIP(host) !== 0) return plain(transport ?? 'udp')
    if (transport) return (await this.served(`${services[transport]}.${host}`, transport)) ?? plain(transport)
    const ways = await this.ways(host)
    for (const { replacement, by } of ways) {
      const servers = await this.served(replacement, by)
      if (servers) return servers
    }
    const found = await Promise.all(
      sipTransports.map(async (by) => this.served(`${services[by]}.${host}`, by)),
    )
    return found.find((servers) => servers !== null) ?? plain(ways[0]?.by ?? 'udp')
  }

  /** Ends the questions that are under way. */
  cancel(): void {
    this.resolver.cancel()
  }

  /** The transports that a host prefers, best first, with the names of their SRV records. */
  private async ways(host: string): Promise<{ replacement: string; by: SipTransport }[]> {
    const records = await this.naptr.of(host)
    return [...records]
      .sort((a, b) => a.order - b.order || a.preference - b.preference)
      .flatMap(({ flags, service, regexp, replacement }) => {
        const by = transportOfService[service.toUpperCase()]
        return by && flags.toLowerCase() === 's' && regexp === '' && replacement !== ''
          ? [{ replacement, by }]
          : []
      })
      .slice(0, mostServers)
  }

  /** @returns null where there are no SRV records */
  private async served(name: string, transport: SipTransport): Promise<SipServer[] | null> {
    const records = await this.srv.of(name)
    if (records.length === 0) return null
    // A target of the root says that there is no such service.
    const usable = records.filter((one) => one.name !== '' && (one.port >= lowestPort || transport === 'tls'))
    return inOrder(usable)
      .slice(0, mostServers)
      .map((one) => ({ name: one.name, port: one.port, transport, isBySrv: true }))
  }
}

/**
 * By priority, and within one at random, each as often as its weight says (RFC 2782).
 * @param random from 0 to 1, without 1
 */
export function inOrder<R extends Pick<SrvRecord, 'priority' | 'weight'>>(
  records: readonly R[],
  random = Math.random,
): R[] {
  const left = [...records].sort((a, b) => a.priority - b.priority || a.weight - b.weight)
  const ordered: R[] = []
  while (left.length > 0) {
    const same = left.filter(({ priority }) => priority === left[0]?.priority)
    const sum = same.reduce((all, { weight }) => all + weight, 0)
    let rest = Math.floor(random() * (sum + 1))
    const index = same.findIndex(({ weight }) => (rest -= weight) <= 0)
    ordered.push(...left.splice(index, 1))
  }
  return ordered
}

function heard<R>(answer: R[] | null) {
  return { records: answer ?? [], isWhole: answer !== null }
}
