/** Where calls over a gateway are sent: to addresses that were looked at, whatever DNS says of its names by then. */
import type { Logger } from 'pino'
import { grouped } from '../../lib/grouped.js'
import { type NextHops, fewOf, nextHopUri } from '../../infrastructure/http-client/next-hops.js'
import { isSimulatedHost } from './gateway-addresses.js'
import type { FoundPlace, GatewayApproval } from './gateway-approval.js'
import type { GatewayReach } from './gateway-reach.js'
import { type GatewayStates, needsApproval } from './gateway-states.js'
import { type OutboundGateway, type OutboundUri, sipHostOf } from './outbound-gateway.entity.js'

/** One address that is tried. */
export interface GatewayTarget {
  host: string
  /** Null where SRV records say it. */
  port: number | null
  transport: OutboundUri['protocol']
  /** The server that an SRV record names, `host:port`. */
  server?: string
  /** Absent where nothing is sent: on simulated lines. */
  nextHop?: string
  /** Called when a call is answered there for the first time. */
  answered?: () => void
}

/** Why no call goes over a gateway. */
export type ClosedGateway = 'gateway_pending' | 'gateway_unreachable'

interface Options {
  nextHops: Pick<NextHops, 'found'>
  approval: Pick<GatewayApproval, 'judge'>
  states: Pick<GatewayStates, 'review' | 'used'>
  reach: Pick<GatewayReach, 'isUnreachable'>
  /** Whether calls go nowhere: the switch is the sandbox. */
  isSimulated: () => boolean
  log: Logger
}

export class GatewayRoutes {
  constructor(private readonly options: Options) {}

  /** In the order in which they are tried. @returns why there are none, where nothing there may be sent to */
  async targetsOf(gateway: OutboundGateway): Promise<GatewayTarget[] | ClosedGateway> {
    if (gateway.state === 'pending_approval') return 'gateway_pending'
    const uris = byPriority(gateway.outbound_uris)
    if (this.options.isSimulated()) return uris.map(targetOf)
    const { states, reach, log } = this.options
    const { places, verdicts } = await this.look(gateway, uris)
    const open = places
      .map((place, index) => ({ place, verdict: verdicts[index] }))
      .filter(({ verdict }) => verdict?.isOpen)
    const about = { gateway: gateway.id, workspace: gateway.workspace_id }
    if (open.length < places.length)
      log.warn(
        {
          event: 'gateway.address_closed',
          ...about,
          addresses: places.filter((_, index) => !verdicts[index]?.isOpen).map(({ address }) => address),
        },
        `an address of a gateway is not called: ${needsApproval}`,
      )
    else if (places.length === 0)
      log.warn(
        { event: 'gateway.no_address', ...about, hosts: uris.map(({ uri }) => uri) },
        'the names of a gateway lead to no address',
      )
    if (open.length === 0) {
      if (places.length === 0 || gateway.is_approved) return 'gateway_unreachable'
      await states.review(gateway.id)
      return 'gateway_pending'
    }
    // Addresses that do not answer are tried last, also among those of one name.
    const isSilent = ({ place }: (typeof open)[number]) => reach.isUnreachable(gateway, place)
    const silent = open.filter(isSilent)
    const ordered = [...open.filter((one) => !silent.includes(one)), ...silent]
    // Several addresses with the same URI get no more attempts than one.
    const byName = grouped(
      ordered,
      ({ place: { uri } }) => `${uri.uri} ${uri.port} ${uri.protocol} ${uri.lookup}`,
    )
    const tried = [...byName.values()].flatMap((those) =>
      fewOf(those.map((one) => ({ ...one, ...one.place }))),
    )
    return [...tried.filter((one) => !isSilent(one)), ...tried.filter(isSilent)].map(({ place, verdict }) =>
      this.target(gateway, place, verdict?.isUsed ?? false),
    )
  }

  /** All that the gateway's calls may be sent to now, in the order of its addresses. */
  async openPlaces(gateway: OutboundGateway): Promise<FoundPlace[]> {
    if (gateway.state === 'pending_approval' || this.options.isSimulated()) return []
    const uris = gateway.outbound_uris.filter(({ uri }) => !isSimulatedHost(uri))
    const { places, verdicts } = await this.look(gateway, byPriority(uris))
    return places.filter((_, index) => verdicts[index]?.isOpen)
  }

  private async look(gateway: OutboundGateway, uris: readonly OutboundUri[]) {
    const { nextHops, approval } = this.options
    const found = await Promise.all(
      uris.map(async (uri) => (await nextHops.found(sipHostOf(uri))).map((hop) => ({ ...hop, uri }))),
    )
    const places = found.flat()
    return { places, verdicts: await approval.judge(gateway, places) }
  }

  private target({ id }: OutboundGateway, place: FoundPlace, isUsed: boolean): GatewayTarget {
    const { uri, address, port, transport, server } = place
    const answered = () => {
      this.options.states
        .used(id, { host: uri.uri, port, address })
        .catch((error: unknown) =>
          this.options.log.warn(
            { event: 'gateway.use_not_written', err: error, gateway: id },
            'that a gateway was used cannot be written',
          ),
        )
    }
    return {
      ...{ host: uri.uri, port: server === null ? port : null, transport, nextHop: nextHopUri(place) },
      ...(server !== null && { server: `${server}:${port}` }),
      ...(!isUsed && { answered }),
    }
  }
}

function byPriority(uris: readonly OutboundUri[]): OutboundUri[] {
  return [...uris].sort((a, b) => a.priority - b.priority)
}

function targetOf({ uri, port, protocol }: OutboundUri): GatewayTarget {
  return { host: uri, port, transport: protocol }
}
