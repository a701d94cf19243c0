/** Which carrier a message of a number is given to first. */
import type { Database } from '../database/database.js'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'

/** A carrier of a number. */
export interface NumberRoute {
  readonly carrierId: string
  /** Whether it takes files. */
  readonly takesMedia: boolean
  /** Whether its line was up when that was last looked at. */
  readonly isUp: boolean
}

interface Row {
  id: string
  takes_media: number
  is_up: number
}

export class NumberRoutes {
  constructor(private readonly database: Database) {}

  /** The active carriers of a number, in their order. */
  async of({ id, workspace_id }: PhoneNumber): Promise<NumberRoute[]> {
    const rows = await this.database.source.query<Row[]>(
      `SELECT carrier.id,
         COALESCE(carrier.kind = 'http' AND JSON_VALUE(carrier.settings, '$.media') IN ('1', 'true'), 0) AS takes_media,
         COALESCE(JSON_VALUE(lease.health, '$.state') = 'up', 0) AS is_up
       FROM number_carriers assigned
       JOIN carriers carrier ON carrier.id = assigned.carrier_id AND carrier.is_active = 1
       LEFT JOIN carrier_leases lease ON lease.carrier_id = carrier.id
       WHERE assigned.phone_number_id = ? AND assigned.workspace_id = ?
       ORDER BY assigned.position`,
      [id, workspace_id],
    )
    return rows.map((row) => ({
      carrierId: row.id,
      takesMedia: Boolean(row.takes_media),
      isUp: Boolean(row.is_up),
    }))
  }
}

/** The first whose line is up, or the first. */
export function firstChoice(routes: readonly NumberRoute[]): string | null {
  return (routes.find(({ isUp }) => isUp) ?? routes[0])?.carrierId ?? null
}
