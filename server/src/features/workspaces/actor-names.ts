import type { ActorKind } from '../../infrastructure/database/audit-entry.entity.js'
import type { Database } from '../../infrastructure/database/database.js'

export interface Actor {
  kind: ActorKind | null
  id: string | null
}

/** What keys and agents are called, by their ids. Those that are gone are left out. */
export async function actorNames(
  database: Database,
  actors: readonly Actor[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (wanted: ActorKind) => [
    ...new Set(actors.flatMap(({ kind, id }) => (kind === wanted && id) || [])),
  ]
  const asked = [
    { sql: 'SELECT id, display_name AS name FROM agents WHERE id IN (?)', ids: idsOf('agent') },
    { sql: 'SELECT sid AS id, title AS name FROM api_keys WHERE sid IN (?)', ids: idsOf('api_key') },
  ].filter(({ ids }) => ids.length > 0)
  if (asked.length === 0) return new Map()
  const rows = await database.source.query<{ id: string; name: string }[]>(
    asked.map(({ sql }) => sql).join(' UNION ALL '),
    asked.map(({ ids }) => ids),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
