/** Cells that live on the same database as this one. */
import { Failure } from '../failure.mjs'
import { query, tablesOf } from './database.mjs'

/** As the server takes a cell for dead: see docs/operate/cells.md. */
const SILENT_SECONDS = 6

/**
 * Before tables are replaced or migrated: others must not write into them meanwhile, and lose what they have written.
 * @param {import('./database.mjs').Login} login
 * @param {string} own name of the cell of this machine
 * @returns {Promise<void>}
 * @throws {Failure} while another cell was heard of in the last seconds
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
