/** Keeps the database for the way back of an upgrade, and takes it: `database.mjs save`, `database.mjs load`. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DUMP } from '../backups/archive.mjs'
import { dumpDatabase, emptyDatabase, loadDatabase } from '../backups/database.mjs'
import { databaseLogin } from '../backups/places.mjs'
import { Failure } from '../failure.mjs'
import { runMain, step } from '../progress.mjs'
import { dockerSettings } from './docker-settings.mjs'
import { serverRuns } from './running.mjs'

await runMain(async () => {
  const settings = dockerSettings()
  const folder = join(settings.home, 'run/before-upgrade')
  const dump = join(folder, DUMP)
  const login = databaseLogin(settings)
  if (serverRuns(settings)) throw new Failure('the server runs: docker compose stop server first')
  if (process.argv[2] === 'save') {
    rmSync(`${dump}.new`, { force: true })
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await step('database', async (report) => {
      report('saving')
      await dumpDatabase(login, `${dump}.new`, async () => {})
      renameSync(`${dump}.new`, dump)
      report('saved')
    })
    return 0
  }
  if (!existsSync(dump)) throw new Failure('no database was saved: there is nothing to go back to')
  await step('database', async (report) => {
    report('as it was')
    await emptyDatabase(login)
    await loadDatabase(login, dump)
    // Taken once: a second time it would take back what was written since.
    rmSync(folder, { recursive: true })
  })
  return 0
})
