/**
 * Whose carriers are where. A carrier that knows the platform by its address cannot tell workspaces apart: whoever had calls
 * sent there would call at its customer's expense. So where a gateway of one workspace leads, those of others do not, nor do
 * SIP URIs; who was seen there first has it, and what the operator has approved is not asked.
 */
import { isIP } from 'node:net'
import { Brackets, type EntityManager, Not } from 'typeorm'
import type { Database } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import { grouped } from '../grouped.js'
import { GatewayAddress } from './gateway-address.entity.js'
import { addressOf, rangeOf } from './hosts.js'
import type { OutboundGateway } from './outbound-gateway.entity.js'

/** So many addresses are looked at to tell of those that may not be called. */
const maxLooked = 20_000

/** A place that calls are sent to. */
export interface Place {
  /** As it is written. */
  host: string
  port: number
  /** What a name leads to; of an address itself. */
  addresses: readonly string[]
}

type Spot = Pick<GatewayAddress, 'host' | 'port'>

/** Simulated lines, which are nobody's and are looked for nowhere. */
export function isSimulatedHost(host: string): boolean {
  return host.toLowerCase().endsWith('.sandbox')
}

/** The one spelling of a host. */
function spelled(host: string): string {
  return isIP(host) === 0 ? host.toLowerCase() : addressOf(rangeOf(host).first)
}

/** On this machine each port is somebody else; a carrier is the same at all of its ports. */
function isThere(row: GatewayAddress, { host, port, addresses }: Place): boolean {
  const isSame = row.host === host || (row.address !== '' && addresses.includes(row.address))
  const isHere = /^(127\.|::1$)/.test(row.address || row.host)
  return isSame && (!isHere || row.port === port)
}

export class GatewayAddresses {
  constructor(private readonly database: Database) {}

  /** Keeps the hosts of a gateway that is made or changed, in the transaction that does so. */
  async keep(
    tx: EntityManager,
    { id, workspace_id, outbound_uris }: Pick<OutboundGateway, 'id' | 'workspace_id' | 'outbound_uris'>,
  ): Promise<void> {
    const spots = outbound_uris
      .filter(({ uri }) => !isSimulatedHost(uri))
      .map(({ uri, port }) => ({ host: spelled(uri), port }))
    const before = await tx.findBy(GatewayAddress, { gateway_id: id })
    const gone = before.filter((row) => !spots.some((spot) => isAt(row, spot)))
    for (const { host, port, address } of gone)
      await tx.delete(GatewayAddress, { gateway_id: id, host, port, address })
    const fresh = spots.filter(
      (spot, index) =>
        !before.some((row) => isAt(row, spot)) && spots.findIndex((other) => isAt(other, spot)) === index,
    )
    const now = new Date()
    const rows = fresh.map(({ host, port }) => ({
      ...{ gateway_id: id, workspace_id, host, port, first_seen_at: now, seen_at: now },
      ...(isIP(host) === 0 ? { address: '', due_at: now } : { address: host, due_at: null }),
    }))
    if (rows.length > 0) await tx.insert(GatewayAddress, rows)
  }

  /** The first of some places that another workspace's gateway led to before one of this workspace did; null for none. */
  async othersFirst(workspace: Owner, places: readonly Omit<Place, 'addresses'>[]): Promise<number | null> {
    const written = places.map(({ host, port }) => placeOf(host, port, []))
    const rows = await this.at(written)
    const index = written.findIndex(
      (place) => !isSimulatedHost(place.host) && isOthers(workspace, rows, place),
    )
    return index < 0 ? null : index
  }

  /**
   * Of the places that a gateway's names lead to now those that its calls may go to: all where the operator has approved it,
   * else those that no gateway of another workspace was seen at before. What is new of them is kept.
   */
  async open(
    gateway: Pick<OutboundGateway, 'id' | 'workspace_id' | 'is_approved'>,
    places: readonly { host: string; port: number; address: string }[],
  ): Promise<boolean[]> {
    const looked = places.map(({ host, port, address }) => ({
      spot: { host: spelled(host), port, address: spelled(address) },
      place: placeOf(address, port, [spelled(address)]),
    }))
    const rows = await this.at(looked.map(({ place }) => place))
    const open = looked.map(
      ({ place }) => gateway.is_approved || !isOthers({ id: gateway.workspace_id }, rows, place),
    )
    const isKnown = (spot: Spot & { address: string }) =>
      rows.some((row) => row.gateway_id === gateway.id && isAt(row, spot) && row.address === spot.address)
    const fresh = looked.filter(({ spot }, index) => open[index] && !isKnown(spot)).map(({ spot }) => spot)
    await this.saw(gateway, fresh)
    return open
  }

  /** Whether a host, or what it leads to, is a carrier of anybody. */
  async isCarrier(host: string, port: number, addresses: readonly string[]): Promise<boolean> {
    const place = placeOf(host, port, addresses.map(spelled))
    return (await this.at([place])).some((row) => isThere(row, place))
  }

  /** Gateways of which nothing that they lead to may be called. @param allows whether an address may */
  async unreachable(allows: (address: string) => boolean): Promise<{ id: string; host: string }[]> {
    const rows = await this.database
      .platformTable(GatewayAddress)
      .find({ where: { address: Not('') }, take: maxLooked })
    return [...grouped(rows, ({ gateway_id }) => gateway_id)]
      .filter(([, those]) => those.every(({ address }) => !allows(address)))
      .map(([id, those]) => ({ id, host: those[0]?.host ?? '' }))
  }

  /** Keeps where a gateway's names were seen to lead. */
  async saw(
    { id, workspace_id }: Pick<OutboundGateway, 'id' | 'workspace_id'>,
    spots: readonly (Spot & { address: string })[],
  ): Promise<void> {
    const now = new Date()
    for (const { host, port, address } of spots)
      // The name may be gone from the gateway by now.
      await this.database.platformTable(GatewayAddress).query(
        `INSERT INTO gateway_addresses
         SELECT gateway_id, workspace_id, host, port, ?, ?, ?, NULL FROM gateway_addresses
         WHERE gateway_id = ? AND workspace_id = ? AND host = ? AND port = ? AND address IN ('', ?) LIMIT 1
         ON DUPLICATE KEY UPDATE seen_at = VALUES(seen_at)`,
        [address, now, now, id, workspace_id, host, port, address],
      )
  }

  private async at(places: readonly Place[]): Promise<GatewayAddress[]> {
    if (places.length === 0) return []
    const hosts = places.map(({ host }) => host)
    const addresses = places.flatMap((place) => place.addresses)
    return this.database
      .platformTable(GatewayAddress)
      .createQueryBuilder('row')
      .where(
        new Brackets((either) => {
          either.where('row.host IN (:...hosts)', { hosts })
          if (addresses.length > 0) either.orWhere('row.address IN (:...addresses)', { addresses })
        }),
      )
      .getMany()
  }
}

function placeOf(host: string, port: number, addresses: readonly string[]): Place {
  const written = spelled(host)
  return { host: written, port, addresses: isIP(written) === 0 ? addresses : [written, ...addresses] }
}

function isAt(row: Spot, { host, port }: Spot): boolean {
  return row.host === host && row.port === port
}

/** Whether another workspace was seen at a place, and this one was not before it. */
function isOthers({ id }: Owner, rows: readonly GatewayAddress[], place: Place): boolean {
  const there = rows.filter((row) => isThere(row, place))
  const since = (own: boolean) =>
    Math.min(
      ...there
        .filter(({ workspace_id }) => (workspace_id === id) === own)
        .map(({ first_seen_at }) => first_seen_at.getTime()),
    )
  return since(false) < since(true)
}
