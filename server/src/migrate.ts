/**
 * Brings the database's tables to this version, one migration after another, and stops at the first that fails.
 * Then Kamailio is given its rights on them.
 */
import { ConfigError, readConfig } from './config.js'
import { Database } from './database/database.js'
import { refuseNewerTables } from './database/known-migrations.js'
import { migrations } from './database/migrations/index.js'
import { grantToKamailio } from './edge/database-access.js'

try {
  const config = readConfig()
  const database = new Database(config.database, [], migrations)
  await database.connect()
  await refuseNewerTables(database)
  const done = await database.source.runMigrations()
  for (const { name } of done) process.stdout.write(`migrated: ${name}\n`)
  if (config.edge.database_account) await grantToKamailio(database.source, config.edge.database_account)
  await database.close()
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : (error as Error).message
  process.stderr.write(`the database cannot be brought to this version: ${reason}\n`)
  process.exit(1)
}
