/** Where calls over a gateway are sent: to addresses that were looked at, whatever DNS says of its names by then. */
import type { Logger } from 'pino'
import { type NextHops, nextHopUri } from '../http-client/next-hops.js'
import type { GatewayAddresses } from './gateway-addresses.js'
import type { OutboundGateway, OutboundUri } from './outbound-gateway.entity.js'

/** One address that is tried. */
export interface GatewayTarget {
  host: string
  port: number
  transport: OutboundUri['protocol']
  /** Absent where nothing is sent: on simulated lines. */
  nextHop?: string
}

interface Options {
  nextHops: NextHops
  addresses: GatewayAddresses
  /** Whether calls go nowhere: the switch is the sandbox. */
  isSimulated: () => boolean
  log: Logger
}

export class GatewayRoutes {
  constructor(private readonly options: Options) {}

  /** In the order in which they are tried; none when nothing there may be sent to. */
  async targetsOf(gateway: OutboundGateway): Promise<GatewayTarget[]> {
    const uris = [...gateway.outbound_uris].sort((a, b) => a.priority - b.priority)
    if (this.options.isSimulated()) return uris.map(targetOf)
    const { nextHops, addresses, log } = this.options
    const found = await Promise.all(
      uris.map(async ({ uri: host, port, protocol: transport }) =>
        (await nextHops.of({ host, port, transport })).map(({ address }) => ({
          ...{ host, port, transport, address },
          nextHop: nextHopUri({ address, port }, transport),
        })),
      ),
    )
    const places = found.flat()
    const open = await addresses.open(gateway, places)
    const told = { gateway: gateway.id, workspace: gateway.workspace_id }
    const closed = places.filter((_, index) => !open[index])
    if (places.length === 0)
      log.warn(
        { ...told, hosts: uris.map(({ uri }) => uri) },
        'a gateway leads to no address that may be called: JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS allows private networks',
      )
    else if (closed.length > 0)
      log.warn(
        { ...told, addresses: closed.map(({ address }) => address) },
        'a gateway leads to a carrier of another workspace: it needs the operator’s approval (is_approved)',
      )
    return places
      .filter((_, index) => open[index])
      .map(({ host, port, transport, nextHop }) => ({ host, port, transport, nextHop }))
  }
}

function targetOf({ uri, port, protocol }: OutboundUri): GatewayTarget {
  return { host: uri, port, transport: protocol }
}
