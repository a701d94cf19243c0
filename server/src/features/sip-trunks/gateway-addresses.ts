/**
 * Which carrier addresses belong to which workspaces. A carrier that authenticates the platform by its address cannot tell
 * workspaces apart: its customer pays for all calls that the platform sends there. So an address belongs to the workspaces
 * whose gateways there are approved by the operator or have carried an answered call; gateways and SIP URIs of other
 * workspaces may not use it. To name a host in a gateway does not take it.
 */
import { isIP } from 'node:net'
import { type EntityManager, Not } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { grouped } from '../../lib/grouped.js'
import { GatewayAddress } from './gateway-address.entity.js'
import { addressOf, rangeOf } from '../../lib/hosts.js'
import type { HostLookup, OutboundGateway, OutboundUri } from './outbound-gateway.entity.js'

/** Addresses that are read to find gateways that lead nowhere. */
const maxLooked = 20_000

/** Gateways at one place that are looked at again when a carrier is taken or freed. */
const maxNeighbours = 500

/** A place that calls are sent to. */
export interface Place {
  /** As it is written. */
  host: string
  port: number
  /** What a name leads to; of an address itself. */
  addresses: readonly string[]
}

/** An address of a gateway, with whether the operator has approved the gateway. */
export type SeenAddress = Pick<
  GatewayAddress,
  'gateway_id' | 'workspace_id' | 'host' | 'port' | 'address' | 'used_at' | 'approved_at'
> & { is_approved: boolean }

type SipServer = Pick<GatewayAddress, 'host' | 'port'>

/** An address of a gateway as it is kept. */
interface NamedSipServer extends SipServer {
  lookup: HostLookup | undefined
}

/** Simulated lines, which belong to no carrier and are not looked up. */
export function isSimulatedHost(host: string): boolean {
  return host.toLowerCase().endsWith('.sandbox')
}

/** The one spelling of a host. */
export function spelled(host: string): string {
  return isIP(host) === 0 ? host.toLowerCase() : addressOf(rangeOf(host).first)
}

/** On this machine each port is another party; a carrier is the same at all of its ports. */
function isThere(row: Pick<GatewayAddress, 'host' | 'port' | 'address'>, place: Place): boolean {
  const isSame = row.host === place.host || (row.address !== '' && place.addresses.includes(row.address))
  const isHere = /^(127\.|::1$)/.test(row.address || row.host)
  return isSame && (!isHere || row.port === place.port)
}

export class GatewayAddresses {
  constructor(private readonly database: Database) {}

  /** Keeps the hosts of a gateway that is made or changed, in the transaction that does so. */
  async keep(
    tx: EntityManager,
    { id, workspace_id, outbound_uris }: Pick<OutboundGateway, 'id' | 'workspace_id' | 'outbound_uris'>,
  ): Promise<void> {
    const servers = outbound_uris.filter(({ uri }) => !isSimulatedHost(uri)).map(serverOf)
    const before = await tx.findBy(GatewayAddress, { gateway_id: id })
    const gone = before.filter((row) => !servers.some((server) => isAt(row, server) || leadsTo(server, row)))
    for (const { host, port, address } of gone)
      await tx.delete(GatewayAddress, { gateway_id: id, host, port, address })
    const fresh = servers.filter(
      (server, index) =>
        !before.some((row) => isAt(row, server) && (row.address === '' || row.address === row.host)) &&
        servers.findIndex((other) => isAt(other, server)) === index,
    )
    const now = new Date()
    const rows = fresh.map(({ host, port }) => ({
      ...{ gateway_id: id, workspace_id, host, port, first_seen_at: now, seen_at: now },
      ...(isIP(host) === 0 ? { address: '', due_at: now } : { address: host, due_at: null }),
    }))
    if (rows.length > 0) await tx.insert(GatewayAddress, rows)
  }

  /** Keeps that the operator has approved where a gateway leads now. @param at null takes the approval back */
  async approve(tx: EntityManager, gateway_id: string, at: Date | null): Promise<void> {
    await tx.update(GatewayAddress, { gateway_id }, { approved_at: at })
  }

  /** Addresses of gateways, of whatever workspace, at some places. */
  async at(places: readonly Place[], tx?: EntityManager): Promise<SeenAddress[]> {
    if (places.length === 0) return []
    const hosts = places.map(({ host }) => host)
    const addresses = places.flatMap((place) => place.addresses)
    const byAddress = addresses.length > 0 ? 'UNION SELECT * FROM gateway_addresses WHERE address IN (?)' : ''
    const rows = await (tx ?? this.database.source).query<SeenAddress[]>(
      `SELECT seen.gateway_id, seen.workspace_id, seen.host, seen.port, seen.address, seen.used_at, seen.approved_at,
         gateway.is_approved
       FROM (SELECT * FROM gateway_addresses WHERE host IN (?) ${byAddress}) seen
       JOIN outbound_gateways gateway ON gateway.id = seen.gateway_id`,
      [hosts, ...(addresses.length > 0 ? [addresses] : [])],
    )
    return rows.map((row) => ({ ...row, is_approved: Number(row.is_approved) === 1 }))
  }

  /** Where a gateway is known to lead. */
  async ofGateway(gateway_id: string, tx?: EntityManager): Promise<GatewayAddress[]> {
    const table = tx ? tx.getRepository(GatewayAddress) : this.database.platformTable(GatewayAddress)
    return table.findBy({ gateway_id })
  }

  /** Unapproved gateways that lead where one of these addresses is, but for one gateway. */
  async neighbours(rows: readonly GatewayAddress[], but: string): Promise<string[]> {
    const seen = await this.at(
      rows.map(({ host, port, address }) => placeOf(host, port, address ? [address] : [])),
    )
    const ids = seen
      .filter((one) => !one.is_approved && one.gateway_id !== but)
      .map(({ gateway_id }) => gateway_id)
    return [...new Set(ids)].slice(0, maxNeighbours)
  }

  /** Whether a host, or what it leads to, is a carrier of other workspaces alone. */
  async isOthers(
    workspace: Owner,
    host: string,
    port: number,
    addresses: readonly string[],
  ): Promise<boolean> {
    const place = placeOf(host, port, addresses.map(spelled))
    return isOthers(workspace, await this.at([place]), place)
  }

  /** Keeps that a call over a gateway was answered there. @returns whether it was the first one */
  async use(
    gateway_id: string,
    { host, port, address }: Pick<GatewayAddress, 'host' | 'port' | 'address'>,
  ): Promise<boolean> {
    const server = { gateway_id, host: spelled(host), port, address: spelled(address) }
    const { affectedRows } = await this.database.source.query<{ affectedRows: number }>(
      `UPDATE gateway_addresses SET used_at = ?
       WHERE gateway_id = ? AND host = ? AND port = ? AND address = ? AND used_at IS NULL`,
      [new Date(), server.gateway_id, server.host, server.port, server.address],
    )
    return affectedRows > 0
  }

  /** Active gateways none of whose addresses may be called. @param allows whether an address may */
  async unreachable(
    allows: (address: Pick<GatewayAddress, 'address' | 'approved_at'>) => boolean,
  ): Promise<{ id: string; host: string }[]> {
    const rows = await this.database
      .platformTable(GatewayAddress)
      .createQueryBuilder('row')
      .innerJoin('outbound_gateways', 'gateway', "gateway.id = row.gateway_id AND gateway.state = 'active'")
      .where({ address: Not('') })
      .take(maxLooked)
      .getMany()
    return [...grouped(rows, ({ gateway_id }) => gateway_id)]
      .filter(([, those]) => those.every((row) => !allows(row)))
      .map(([id, those]) => ({ id, host: those[0]?.host ?? '' }))
  }

  /** Keeps where a gateway's names were seen to lead. `named` is the port of the name itself. */
  async saw(
    { id, workspace_id }: Pick<OutboundGateway, 'id' | 'workspace_id'>,
    servers: readonly (SipServer & { address: string; named: number })[],
  ): Promise<void> {
    const now = new Date()
    for (const { host, port, address, named } of servers)
      // The name may be gone from the gateway by now.
      await this.database.platformTable(GatewayAddress).query(
        `INSERT INTO gateway_addresses (gateway_id, workspace_id, host, port, address, first_seen_at, seen_at)
         SELECT gateway_id, workspace_id, host, ?, ?, ?, ? FROM gateway_addresses
         WHERE gateway_id = ? AND workspace_id = ? AND host = ? AND port = ? AND address IN ('', ?) LIMIT 1
         ON DUPLICATE KEY UPDATE seen_at = VALUES(seen_at)`,
        [port, address, now, now, id, workspace_id, host, named, address],
      )
  }
}

export function placeOf(host: string, port: number, addresses: readonly string[]): Place {
  const written = spelled(host)
  return { host: written, port, addresses: isIP(written) === 0 ? addresses : [written, ...addresses] }
}

/** An address of a gateway as it is kept. */
export function serverOf({
  uri,
  port,
  lookup,
}: Pick<OutboundUri, 'uri' | 'port' | 'lookup'>): NamedSipServer {
  return { host: spelled(uri), port, lookup }
}

/** Whether a row is an address that was found behind a gateway's own: SRV records lead to any port. */
export function leadsTo(server: NamedSipServer, row: SipServer & Pick<GatewayAddress, 'address'>): boolean {
  return (
    row.address !== '' &&
    row.host === server.host &&
    (row.port === server.port || server.lookup !== undefined)
  )
}

export function isAt(row: SipServer, { host, port }: SipServer): boolean {
  return row.host === host && row.port === port
}

/** Whether a place is a carrier of other workspaces, and not of this one. */
export function isOthers({ id }: Owner, rows: readonly SeenAddress[], place: Place): boolean {
  const owners = rows.filter((row) => (row.is_approved || row.used_at !== null) && isThere(row, place))
  return owners.length > 0 && !owners.some(({ workspace_id }) => workspace_id === id)
}
