/** What of a gateway needs the operator's approval, and where its calls may go. */
import { isIP } from 'node:net'
import type { EntityManager } from 'typeorm'
import type { FoundHop, NextHops } from '../../infrastructure/http-client/next-hops.js'
import { lowestPort } from '../../infrastructure/http-client/sip-servers.js'
import type { KeptValues } from '../../lib/kept-values.js'
import type { GatewayAddress } from './gateway-address.entity.js'
import {
  type GatewayAddresses,
  isAt,
  isOthers,
  isSimulatedHost,
  leadsTo,
  placeOf,
  spelled,
  serverOf,
} from './gateway-addresses.js'
import type { GatewayState, OutboundGateway, OutboundUri } from './outbound-gateway.entity.js'

type Judged = Pick<OutboundGateway, 'id' | 'workspace_id' | 'is_approved' | 'outbound_uris'>

/** An address that a gateway leads to now. */
export interface FoundPlace extends FoundHop {
  /** The address of the gateway that leads there. */
  uri: OutboundUri
}

/** The verdict on a call to a place. `isUsed`: a call of the gateway was answered there before. */
export interface Verdict {
  isOpen: boolean
  isUsed: boolean
}

export class GatewayApproval {
  constructor(
    private readonly addresses: GatewayAddresses,
    private readonly hops: Pick<NextHops, 'allows'>,
    /** Values of a workspace, forgotten when its gateways change. */
    private readonly kept: Pick<KeptValues, 'get'>,
  ) {}

  /**
   * Whether a gateway waits for the operator: one of its addresses is private, at a port below 1024 but over TLS, or a carrier
   * of other workspaces; or all that one of its names was last seen to lead to is.
   */
  async stateOf(gateway: Judged, tx?: EntityManager): Promise<GatewayState> {
    const { id, workspace_id, is_approved, outbound_uris } = gateway
    const uris = outbound_uris.filter(({ uri }) => !isSimulatedHost(uri))
    if (is_approved || uris.length === 0) return 'active'
    if (uris.some((uri) => this.isReserved(uri))) return 'pending_approval'
    const known = await this.addresses.ofGateway(id, tx)
    const places = uris.map((uri) => {
      const server = serverOf(uri)
      const ever = known.filter((row) => row.address !== '' && leadsTo(server, row))
      const last = Math.max(...ever.map(({ seen_at }) => seen_at.getTime()))
      return { ...server, found: ever.filter(({ seen_at }) => seen_at.getTime() === last) }
    })
    const seen = await this.addresses.at(
      places.map(({ host, port, found }) =>
        placeOf(
          host,
          port,
          found.map(({ address }) => address),
        ),
      ),
      tx,
    )
    // The row may say something else until it is written.
    const rows = seen.map((row) => (row.gateway_id === id ? { ...row, is_approved } : row))
    const isClosed = (place: (typeof places)[number]) => {
      const { host, port, found } = place
      const isTaken = (at: number, addresses: readonly string[]) =>
        isOthers({ id: workspace_id }, rows, placeOf(host, at, addresses))
      if (isTaken(port, [])) return true
      return (
        isIP(host) === 0 &&
        found.length > 0 &&
        found.every((row) => !this.hops.allows({ host: row.address }) || isTaken(row.port, [row.address]))
      )
    }
    return places.some(isClosed) ? 'pending_approval' : 'active'
  }

  /** Whether calls there need the operator's approval in any workspace. */
  isReserved({ uri, port, protocol }: Pick<OutboundUri, 'uri' | 'port' | 'protocol'>): boolean {
    return !this.hops.allows({ host: uri }) || (port < lowestPort && protocol !== 'tls')
  }

  /** Which of the places that a gateway's names lead to now its calls may go to. What is new is written. */
  async judge(
    gateway: Pick<OutboundGateway, 'id' | 'workspace_id' | 'is_approved'>,
    places: readonly FoundPlace[],
  ): Promise<readonly Verdict[]> {
    const found = places.map(({ uri, address, port, transport, isAllowed }) =>
      [uri.uri, uri.port, address, port, transport, isAllowed].join(' '),
    )
    const { verdicts } = await this.kept.get(
      gateway.workspace_id,
      `places ${gateway.id} ${gateway.is_approved} ${found.join(', ')}`,
      async () => this.look(gateway, places),
      // Other workspaces' carriers close no place that has carried a call of this one.
      (looked) => (looked.verdicts.every(({ isOpen, isUsed }) => isOpen && isUsed) ? Infinity : 0),
    )
    return verdicts
  }

  private async look(
    gateway: Pick<OutboundGateway, 'id' | 'workspace_id' | 'is_approved'>,
    places: readonly FoundPlace[],
  ): Promise<{ readonly verdicts: readonly Verdict[] }> {
    const looked = places.map((place) => ({
      server: {
        ...{ host: spelled(place.uri.uri), port: place.port, address: spelled(place.address) },
        ...{ named: place.uri.port },
      },
      place,
    }))
    const rows = await this.addresses.at(
      looked.map(({ server: { address, port } }) => placeOf(address, port, [address])),
    )
    const ownRow = (server: Pick<GatewayAddress, 'host' | 'port' | 'address'>) =>
      rows.find((row) => row.gateway_id === gateway.id && isAt(row, server) && row.address === server.address)
    const isOpen = ({ server, place }: (typeof looked)[number]) => {
      const { address, port } = server
      if (gateway.is_approved) return place.isAllowed || Boolean(ownRow(server)?.approved_at)
      if (!place.isAllowed || (port < lowestPort && place.transport !== 'tls')) return false
      return !isOthers({ id: gateway.workspace_id }, rows, placeOf(address, port, [address]))
    }
    const verdicts = looked.map((one) => ({
      isOpen: isOpen(one),
      isUsed: Boolean(ownRow(one.server)?.used_at),
    }))
    // All addresses of one look-up are written together: they are what the names resolve to now.
    if (looked.some(({ server }) => !ownRow(server)) || verdicts.some((verdict) => !verdict.isOpen))
      await this.addresses.saw(
        gateway,
        looked.map(({ server }) => server),
      )
    return { verdicts }
  }
}
