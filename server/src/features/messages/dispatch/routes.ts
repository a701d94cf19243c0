/** The carriers of numbers, as those that look for another one for a message see them. */
import type { EntityManager } from 'typeorm'
import { grouped } from '../../../lib/grouped.js'

/** A carrier of a number. */
export interface Route {
  readonly carrierId: string
  readonly isActive: boolean
  /** Whether a server holds its link, and it is up. */
  readonly isUp: boolean
  /** Whether it takes files. */
  readonly takesMedia: boolean
  /** Whether it takes names and short codes as senders. */
  readonly takesOriginators: boolean
}

/** What a carrier must be able to send. */
export interface Carried {
  readonly attachments: number
  readonly originator: string | null
}

interface Row {
  phone_number_id: string
  carrier_id: string
  is_active: number
  is_up: number
  takes_media: number
  takes_originators: number
}

/** The carriers of each number, in their order. */
export async function routesOf(
  tx: EntityManager,
  numberIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Route[]>> {
  if (numberIds.length === 0) return new Map()
  const rows = await tx.query<Row[]>(
    `SELECT assigned.phone_number_id, assigned.carrier_id, carrier.is_active,
       COALESCE(lease.leased_until > UTC_TIMESTAMP(3) AND JSON_VALUE(lease.health, '$.state') = 'up', 0) AS is_up,
       COALESCE(JSON_VALUE(carrier.settings, '$.media') IN ('1', 'true'), 0) AS takes_media,
       COALESCE(JSON_VALUE(carrier.settings, '$.takes_originators') IN ('1', 'true'), 0) AS takes_originators
     FROM number_carriers assigned
     JOIN carriers carrier ON carrier.id = assigned.carrier_id
     LEFT JOIN carrier_leases lease ON lease.carrier_id = carrier.id
     WHERE assigned.phone_number_id IN (?)
     ORDER BY assigned.position`,
    [[...new Set(numberIds)]],
  )
  const routes = [...grouped(rows, (row) => row.phone_number_id)].map(
    ([id, those]) => [id, those.map(routeOf)] as const,
  )
  return new Map(routes)
}

function routeOf(row: Row): Route {
  return {
    carrierId: row.carrier_id,
    isActive: Boolean(row.is_active),
    isUp: Boolean(row.is_up),
    takesMedia: Boolean(row.takes_media),
    takesOriginators: Boolean(row.takes_originators),
  }
}

/** Carriers to try after one: first those behind it, then those before it. */
export function routesAfter(
  routes: readonly Route[],
  carrierId: string | null,
  message: Carried,
): { readonly later: readonly Route[]; readonly earlier: readonly Route[] } {
  const position = routes.findIndex((route) => route.carrierId === carrierId)
  const isFit = (route: Route) => route.carrierId !== carrierId && route.isActive && takes(route, message)
  return {
    later: routes.slice(position + 1).filter(isFit),
    earlier: routes.slice(0, Math.max(0, position)).filter(isFit),
  }
}

/** Whether a carrier takes what a message has. */
export function takes(route: Route, { attachments, originator }: Carried): boolean {
  return (attachments === 0 || route.takesMedia) && (originator === null || route.takesOriginators)
}
