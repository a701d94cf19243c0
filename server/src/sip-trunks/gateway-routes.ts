/** Where calls over a gateway are sent: to addresses that were looked at, whatever DNS says of its names by then. */
import type { Logger } from 'pino'
import { type NextHops, maxHops, nextHopUri } from '../http-client/next-hops.js'
import type { GatewayApproval } from './gateway-approval.js'
import { type GatewayStates, needsApproval } from './gateway-states.js'
import type { OutboundGateway, OutboundUri } from './outbound-gateway.entity.js'

/** One address that is tried. */
export interface GatewayTarget {
  host: string
  port: number
  transport: OutboundUri['protocol']
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
  /** Whether calls go nowhere: the switch is the sandbox. */
  isSimulated: () => boolean
  log: Logger
}

export class GatewayRoutes {
  constructor(private readonly options: Options) {}

  /** In the order in which they are tried. @returns why there are none, where nothing there may be sent to */
  async targetsOf(gateway: OutboundGateway): Promise<GatewayTarget[] | ClosedGateway> {
    if (gateway.state === 'pending_approval') return 'gateway_pending'
    const uris = [...gateway.outbound_uris].sort((a, b) => a.priority - b.priority)
    if (this.options.isSimulated()) return uris.map(targetOf)
    const { nextHops, approval, states, log } = this.options
    const found = await Promise.all(
      uris.map(async ({ uri: host, port, protocol: transport }) =>
        (await nextHops.found({ host, port, transport })).map((hop) => ({ ...hop, host, transport })),
      ),
    )
    const places = found.flat()
    const verdicts = await approval.judge(gateway, places)
    const open = places
      .map((place, index) => ({ place, verdict: verdicts[index] }))
      .filter(({ verdict }) => verdict?.isOpen)
    const told = { gateway: gateway.id, workspace: gateway.workspace_id }
    if (open.length < places.length)
      log.warn(
        {
          ...told,
          addresses: places.filter((_, index) => !verdicts[index]?.isOpen).map(({ address }) => address),
        },
        `an address of a gateway is not called: ${needsApproval}`,
      )
    else if (places.length === 0)
      log.warn({ ...told, hosts: uris.map(({ uri }) => uri) }, 'the names of a gateway lead to no address')
    if (open.length === 0) {
      if (places.length === 0 || gateway.is_approved) return 'gateway_unreachable'
      await states.review(gateway.id)
      return 'gateway_pending'
    }
    return firstOfEach(
      open.map(({ place, verdict }) => this.target(gateway, place, verdict?.isUsed ?? false)),
    )
  }

  private target(
    { id }: OutboundGateway,
    { host, port, transport, address }: { address: string } & Omit<GatewayTarget, 'nextHop'>,
    isUsed: boolean,
  ): GatewayTarget {
    const answered = () => {
      this.options.states
        .used(id, { host, port, address })
        .catch((error: unknown) =>
          this.options.log.warn({ err: error, gateway: id }, 'that a gateway was used cannot be written'),
        )
    }
    return {
      ...{ host, port, transport, nextHop: nextHopUri({ address, port }, transport) },
      ...(!isUsed && { answered }),
    }
  }
}

/** A few addresses of each host: more are not tried for a caller who waits. */
function firstOfEach(targets: readonly GatewayTarget[]): GatewayTarget[] {
  const tried = new Map<string, number>()
  return targets.filter(({ host, port, transport }) => {
    const key = `${host} ${port} ${transport}`
    tried.set(key, (tried.get(key) ?? 0) + 1)
    return (tried.get(key) ?? 0) <= maxHops
  })
}

function targetOf({ uri, port, protocol }: OutboundUri): GatewayTarget {
  return { host: uri, port, transport: protocol }
}
