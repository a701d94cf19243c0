/** Seals all secrets in the database with the current master key; run by `jackfield secret rotate master-key`. */
import { ConfigError, readConfig } from '../config/config.js'
import { Database } from '../infrastructure/database/database.js'
import { Keyring } from '../infrastructure/database/keyring.js'
import { resealAll } from '../infrastructure/database/reseal.js'
import { SecretBox } from '../infrastructure/database/secrets.js'

try {
  const config = readConfig()
  const database = new Database(config.database, [])
  await database.connect()
  const secrets = new SecretBox(new Keyring(config.secret_key, config.secret_key_old))
  const done = await resealAll(database, secrets, (column, rows) => {
    process.stdout.write(`${column}: ${String(rows)}\n`)
  })
  await database.close()
  process.stdout.write(`${JSON.stringify(done)}\n`)
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : (error as Error).message
  process.stderr.write(`the secrets cannot be resealed: ${reason}\n`)
  process.exit(1)
}
