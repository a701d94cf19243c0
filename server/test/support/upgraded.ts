import { Database } from '../../src/database/database.js'
import { migrations } from '../../src/database/migrations/index.js'
import { sharedMariadb } from './mariadb.js'

/**
 * A database of the version before a migration, filled, and then brought up to date.
 * @param fill writes rows as that version had them
 */
export async function upgraded(
  migration: (typeof migrations)[number],
  fill: (earlier: Database) => Promise<void>,
): Promise<Database> {
  const mariadb = await sharedMariadb()
  const name = await mariadb.createDatabase()
  const { host, port, user, password } = mariadb
  const open = async (upTo: typeof migrations) => {
    const database = new Database({ host, port, socket: '', user, password, name, pool: 1 }, [], upTo)
    await database.connect()
    await database.source.runMigrations()
    return database
  }
  const earlier = await open(migrations.slice(0, migrations.indexOf(migration)))
  try {
    await fill(earlier)
  } finally {
    await earlier.close()
  }
  return open(migrations)
}
