/**
 * Migrates the database to this version, one migration after another, and stops at the first that fails. Killed half way,
 * it continues there when it runs again.
 * Then it grants Kamailio its rights. With `--check` it only says whether it would: nothing is changed.
 */
import { OthersLiveError, refuseUnderOthers } from '../features/cells/living-others.js'
import { ConfigError, readConfig } from '../config/config.js'
import { Database } from '../infrastructure/database/database.js'
import {
  adoptBaseline,
  needsMigration,
  refuseUnknownTables,
} from '../infrastructure/database/known-migrations.js'
import { migrations } from '../infrastructure/database/migrations/index.js'
import { dropJournal, resumable } from '../infrastructure/database/resumable-migrations.js'
import { grantToKamailio } from '../adapters/kamailio/database-access.js'

/** Exit codes. */
const failed = 1
const othersLive = 3

async function migrate(database: Database, account: string): Promise<void> {
  if (await adoptBaseline(database))
    process.stdout.write('migrated: the tables are those of the baseline already\n')
  const done = await database.source.runMigrations()
  await dropJournal(database.source)
  for (const { name } of done) process.stdout.write(`migrated: ${name}\n`)
  if (account) await grantToKamailio(database.source, account)
}

try {
  const config = readConfig()
  const database = new Database(config.database, [], resumable(migrations))
  await database.connect()
  await refuseUnknownTables(database)
  if (await needsMigration(database)) await refuseUnderOthers(database, config.cell)
  if (!process.argv.includes('--check')) await migrate(database, config.edge.database_account)
  await database.close()
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : (error as Error).message
  process.stderr.write(`the database cannot be brought to this version: ${reason}\n`)
  process.exit(error instanceof OthersLiveError ? othersLive : failed)
}
