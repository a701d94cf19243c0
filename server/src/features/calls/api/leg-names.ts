/** Display names of the parties of legs. */
import type { Database } from '../../../infrastructure/database/database.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { CallLeg } from '../model/call-leg.entity.js'

type Party = 'agent_id' | 'voice_agent_id' | 'sip_account_id' | 'gateway_id'

/** Tables of parties and their name columns; the first match of a leg counts. */
const tables: readonly (readonly [Party, string])[] = [
  ['agent_id', 'SELECT id, display_name AS name FROM agents'],
  ['voice_agent_id', 'SELECT id, name FROM voice_agents'],
  ['sip_account_id', 'SELECT id, title AS name FROM sip_accounts'],
  ['gateway_id', 'SELECT id, title AS name FROM outbound_gateways'],
]

/** Names by leg id; deleted parties have none. */
export async function legNames(
  { source }: Database,
  workspace: Owner,
  legs: readonly CallLeg[],
): Promise<ReadonlyMap<string, string>> {
  const asked = tables.flatMap(([party, select]) => {
    const ids = [...new Set(legs.flatMap((leg) => leg[party] ?? []))]
    return ids.length > 0 ? [{ sql: `${select} WHERE workspace_id = ? AND id IN (?)`, ids }] : []
  })
  if (asked.length === 0) return new Map()
  const rows = await source.query<{ id: string; name: string }[]>(
    asked.map(({ sql }) => sql).join(' UNION ALL '),
    asked.flatMap(({ ids }) => [workspace.id, ids]),
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return new Map(
    legs.flatMap((leg): [string, string][] => {
      const id = tables.map(([party]) => leg[party]).find(Boolean)
      const name = id && names.get(id)
      return name ? [[leg.id, name]] : []
    }),
  )
}
