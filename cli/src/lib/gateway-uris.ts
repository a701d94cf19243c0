/**
 * Addresses of a gateway on the command line: `host[:port][;transport=udp|tcp|tls]`. A name without a port is resolved by SRV
 * records, and without a transport by NAPTR records first (RFC 3263).
 */
import { isIP } from 'node:net'
import { usageError } from './usage-error.js'

export interface GatewayUri {
  uri: string
  port: number
  protocol: 'udp' | 'tcp' | 'tls'
  priority: number
  lookup?: 'srv' | 'naptr'
}

const protocols = ['udp', 'tcp', 'tls'] as const

/** Parses addresses in failover order. @throws naming an invalid one */
export function outboundUris(texts: readonly string[]): GatewayUri[] {
  return texts.map((text, index) => {
    const [, bracketed, plain, port, transport] =
      /^(?:\[([0-9a-f:.]+)\]|([^:;\s]+))(?::(\d+))?(?:;transport=(\w+))?$/i.exec(text) ?? []
    const uri = bracketed ?? plain
    const protocol = protocols.find((known) => known === (transport ?? 'udp'))
    if (!uri || !protocol) {
      throw usageError(`--uri ${text} must be host[:port][;transport=udp|tcp|tls]`)
    }
    return {
      ...{ uri, port: Number(port ?? (protocol === 'tls' ? 5061 : 5060)), protocol, priority: index + 1 },
      ...(port === undefined && isIP(uri) === 0 && { lookup: transport === undefined ? 'naptr' : 'srv' }),
    }
  })
}

/** An address's state by OPTIONS. */
interface Reachability {
  address: string | null
  host: string
  port: number
  transport: GatewayUri['protocol']
  state: string
  status_code: number | null
  round_trip_ms: number | null
  since: string | null
}

interface Gateway {
  outbound_uris: Omit<GatewayUri, 'priority'>[]
  reachability?: Reachability[] | undefined
}

/** A gateway for display. */
export function readable<T extends Gateway>(gateway: T) {
  const { outbound_uris, reachability } = gateway
  return {
    ...gateway,
    outbound_uris: outbound_uris.map(addressOf),
    ...(reachability && { reachability: reachability.map(reachabilityOf) }),
  }
}

function reachabilityOf(seen: Reachability): string {
  const { address, host, port, transport: protocol, state, status_code, round_trip_ms, since } = seen
  const at = addressOf({ uri: address ?? host, port, protocol })
  if (state === 'unknown') return `${at} ${state}`
  const answer = status_code === null ? 'no answer' : `${status_code} in ${round_trip_ms} ms`
  return `${at} ${state} since ${since} (${answer})`
}

/** Number of reachable addresses of a pinged gateway: `1 of 2`. */
export function answering({ reachability }: Pick<Gateway, 'reachability'>): string | undefined {
  if (!reachability) return undefined
  const count = reachability.filter(({ state }) => state === 'reachable').length
  return `${count} of ${reachability.length}`
}

/** Formats an address as it is parsed. */
export function addressOf({ uri, port, protocol, lookup }: Omit<GatewayUri, 'priority'>): string {
  if (lookup) return lookup === 'naptr' ? uri : `${uri};transport=${protocol}`
  const host = uri.includes(':') ? `[${uri}]` : uri
  return `${host}:${String(port)}${protocol === 'udp' ? '' : `;transport=${protocol}`}`
}
