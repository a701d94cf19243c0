/** Other live cells on the same database. */
import { Failure } from '../failure.mjs'
import { query, tablesOf } from './database.mjs'

/** As long as the server waits before it treats a cell as dead: see docs/operate/cells.md. */
const SILENT_SECONDS = 6

/**
 * Called before tables are replaced or migrated: writes of other cells would be lost.
 * @param {import('./database.mjs').Login} login
 * @param {string} own name of the cell of this machine
 * @returns {Promise<void>}
 * @throws {Failure} if another cell has sent a heartbeat in the last seconds
 */
export async function requireNoOtherCell(login, own) {
  const { tables } = await tablesOf(login)
  if (!tables.includes('cells')) return
  const names = await query(
    login,
    `SELECT name FROM cells WHERE name <> '${own}'
       AND beat_at > UTC_TIMESTAMP(3) - INTERVAL ${SILENT_SECONDS} SECOND ORDER BY name`,
  )
  if (names.length > 0)
    throw new Failure(
      `cells live on the same database, whose tables would be migrated or replaced under them: ${names.join(', ')}. Stop them first (npm run down on their machines)`,
    )
}
