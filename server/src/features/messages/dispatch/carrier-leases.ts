/**
 * Which server has which carrier. A lease is a row that its holder renews every second by the clock of the database:
 * where it is not renewed for some seconds the holder is gone, and another server takes the carrier.
 */
import { randomUUID } from 'node:crypto'
import type { EntityManager } from 'typeorm'
import type { LinkHealth } from '../../../adapters/sms/link.js'
import type { Database } from '../../../infrastructure/database/database.js'
import { entityOf } from '../../../infrastructure/database/rows.js'
import { Carrier } from '../carriers/carrier.entity.js'

/** A lease that is not renewed in this time is over. */
export const leaseMs = 5_000

const lease = `UTC_TIMESTAMP(3) + INTERVAL ${leaseMs / 1000} SECOND`

/** An active carrier, and the server that has leased it. */
export interface LeasedCarrier {
  readonly carrier: Carrier
  /** Null if no server has. */
  readonly holder: 'this server' | 'another' | null
}

interface Row extends Record<string, unknown> {
  server_id: string | null
  is_live: number | null
}

export class CarrierLeases {
  /** Names this process: not the machine, as what a process before it held is not known to it. */
  readonly serverId = randomUUID()

  constructor(private readonly database: Database) {}

  /** Renews those leases of carriers that are still this server's, and publishes the state of their links. */
  async renew(links: ReadonlyMap<string, LinkHealth>): Promise<void> {
    if (links.size === 0) return
    const health = [...links].flatMap(([id, one]) => [id, JSON.stringify(one)])
    await this.database.source.query(
      `UPDATE carrier_leases
       SET leased_until = ${lease}, health = CASE carrier_id ${'WHEN ? THEN ? '.repeat(links.size)} ELSE health END
       WHERE server_id = ? AND carrier_id IN (?)`,
      [...health, this.serverId, [...links.keys()]],
    )
  }

  /** All carriers that are in use. */
  async active(): Promise<LeasedCarrier[]> {
    const { manager } = this.database.source
    const rows = await manager.query<Row[]>(
      `SELECT carriers.*, lease.server_id, lease.leased_until > UTC_TIMESTAMP(3) AS is_live
       FROM carriers LEFT JOIN carrier_leases lease ON lease.carrier_id = carriers.id
       WHERE carriers.is_active = 1`,
    )
    return rows.map((row) => ({ carrier: entityOf(manager, Carrier, row), holder: this.holderOf(row) }))
  }

  /** @returns whether this server has the carrier now */
  async take(carrierId: string): Promise<boolean> {
    const health: LinkHealth = { state: 'connecting', since: new Date(), last_error: null }
    // The carrier may have been deleted meanwhile: IGNORE inserts no row then.
    await this.database.source.query(
      `INSERT IGNORE INTO carrier_leases (carrier_id, server_id, leased_until, health)
       VALUES (?, ?, UTC_TIMESTAMP(3) - INTERVAL 1 SECOND, ?)`,
      [carrierId, this.serverId, JSON.stringify(health)],
    )
    const { affectedRows } = await this.database.source.query<{ affectedRows: number }>(
      `UPDATE carrier_leases SET server_id = ?, leased_until = ${lease}, health = ?
       WHERE carrier_id = ? AND (leased_until <= UTC_TIMESTAMP(3) OR server_id = ?)`,
      [this.serverId, JSON.stringify(health), carrierId, this.serverId],
    )
    return affectedRows > 0
  }

  /** Lets another server take carriers at once. */
  async giveBack(carrierIds: readonly string[]): Promise<void> {
    if (carrierIds.length === 0) return
    const health: LinkHealth = { state: 'down', since: new Date(), last_error: null }
    await this.database.source.query(
      `UPDATE carrier_leases SET leased_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND, health = ?
       WHERE server_id = ? AND carrier_id IN (?)`,
      [JSON.stringify(health), this.serverId, carrierIds],
    )
  }

  private holderOf({ server_id, is_live }: Row): LeasedCarrier['holder'] {
    if (!Number(is_live)) return null
    return server_id === this.serverId ? 'this server' : 'another'
  }
}

/** Whether a server has leased a carrier; the row stays locked until the transaction ends. */
export async function holdsLease(tx: EntityManager, carrierId: string, serverId: string): Promise<boolean> {
  const rows = await tx.query<unknown[]>(
    'SELECT 1 FROM carrier_leases WHERE carrier_id = ? AND server_id = ? LOCK IN SHARE MODE',
    [carrierId, serverId],
  )
  return rows.length > 0
}
