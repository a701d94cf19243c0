/** Which carrier a message of a number is given to first. */
import type { Database } from '../database/database.js'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'

/** A carrier of a number. */
export interface NumberRoute {
  readonly carrierId: string
  readonly isActive: boolean
  /** Whether it takes files. */
  readonly takesMedia: boolean
  /** Whether its line was up when that was last looked at. */
  readonly isUp: boolean
}

interface Row {
  id: string
  is_active: number
  takes_media: number
  is_up: number
}

export class NumberRoutes {
  constructor(private readonly database: Database) {}

  /** The carriers of a number, in their order. */
  async of({ id, workspace_id }: PhoneNumber): Promise<NumberRoute[]> {
    const rows = await this.database.source.query<Row[]>(
      `SELECT carrier.id, carrier.is_active,
         COALESCE(carrier.kind = 'http' AND JSON_VALUE(carrier.settings, '$.media') IN ('1', 'true'), 0) AS takes_media,
         COALESCE(JSON_VALUE(lease.health, '$.state') = 'up', 0) AS is_up
       FROM number_carriers assigned
       JOIN carriers carrier ON carrier.id = assigned.carrier_id
       LEFT JOIN carrier_leases lease ON lease.carrier_id = carrier.id
       WHERE assigned.phone_number_id = ? AND assigned.workspace_id = ?
       ORDER BY assigned.position`,
      [id, workspace_id],
    )
    return rows.map((row) => ({
      carrierId: row.id,
      isActive: Boolean(row.is_active),
      takesMedia: Boolean(row.takes_media),
      isUp: Boolean(row.is_up),
    }))
  }
}

/** Of those in use the first whose line is up, or the first; with none in use the message waits for the first of all. */
export function firstChoice(routes: readonly NumberRoute[]): string | null {
  const inUse = routes.filter(({ isActive }) => isActive)
  return (inUse.find(({ isUp }) => isUp) ?? inUse[0] ?? routes[0])?.carrierId ?? null
}
