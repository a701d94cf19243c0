/** The status of carriers: their links, as reported by the servers that have leased them, and their queues. */
import type { Static } from 'typebox'
import { In } from 'typeorm'
import type { Database } from '../../../infrastructure/database/database.js'
import { type Carrier, CarrierLease } from './carrier.entity.js'
import { type CarrierStatusShape, type LinkStatusShape, maxCounted } from './carrier.schema.js'

export type LinkStatus = Static<typeof LinkStatusShape>

export class CarrierStatuses {
  constructor(private readonly database: Database) {}

  /** The reported links of active carriers that a server has leased. */
  async linksOf(carriers: readonly Carrier[]): Promise<Map<string, LinkStatus>> {
    const leases = await this.leasesOf(carriers.filter(({ is_active }) => is_active).map(({ id }) => id))
    return new Map(leases.map((lease) => [lease.carrier_id, heldBy(lease)]))
  }

  async of(carrier: Carrier): Promise<Static<typeof CarrierStatusShape>> {
    const [links, queued, submitting, awaiting_receipt, oldest_due_at] = await Promise.all([
      this.linksOf([carrier]),
      this.count('message_queue', 'carrier_id = ? AND state = ?', [carrier.id, 'queued']),
      this.count('message_queue', 'carrier_id = ? AND state = ?', [carrier.id, 'submitting']),
      this.count('message_segments', 'carrier_id = ?', [carrier.id]),
      this.oldestDue(carrier.id),
    ])
    const link = links.get(carrier.id) ?? unheld(carrier)
    return { ...link, queued, submitting, awaiting_receipt, oldest_due_at }
  }

  /** Valid leases only: a dead server reports nothing. */
  private async leasesOf(ids: string[]): Promise<CarrierLease[]> {
    if (ids.length === 0) return []
    const query = this.database.platformTable(CarrierLease).createQueryBuilder('lease')
    return query
      .where({ carrier_id: In(ids) })
      .andWhere('lease.leased_until > UTC_TIMESTAMP(3)')
      .getMany()
  }

  private async count(table: string, where: string, values: readonly string[]): Promise<number> {
    const [row] = await this.database.source.query<{ n: string }[]>(
      `SELECT COUNT(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${where} LIMIT ?) counted`,
      [...values, maxCounted],
    )
    return Number(row?.n)
  }

  private async oldestDue(carrierId: string): Promise<string | null> {
    const [row] = await this.database.source.query<{ due_at: Date }[]>(
      `SELECT due_at FROM message_queue
       WHERE carrier_id = ? AND state = 'queued' AND due_at <= UTC_TIMESTAMP(3) ORDER BY due_at LIMIT 1`,
      [carrierId],
    )
    return row?.due_at.toISOString() ?? null
  }
}

/** The status of a link that no server has. */
export function unheld({ is_active }: Carrier): LinkStatus {
  return { state: is_active ? 'down' : 'inactive', since: null, last_error: null, server_id: null }
}

function heldBy({ server_id, health: { state, since, last_error } }: CarrierLease): LinkStatus {
  return { state, since, last_error, server_id }
}
