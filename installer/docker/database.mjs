/**
 * Saves the database for the rollback of an upgrade, and loads it: `database.mjs alone | save | check | load`. Each can be
 * interrupted and repeated. The saved data stays until the next upgrade: upgrade.sh knows when it may be loaded. None works
 * while another cell is live on the same database.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DUMP, SUMS, checkSums, writeSums } from '../backups/archive.mjs'
import { dumpDatabase, emptyDatabase, loadDatabase } from '../backups/database.mjs'
import { requireNoOtherCell } from '../backups/other-cells.mjs'
import { syncFolder } from '../durable.mjs'
import { databaseLogin } from '../backups/places.mjs'
import { diskFull } from '../backups/room.mjs'
import { databaseBefore } from '../backups/way-back.mjs'
import { Failure } from '../failure.mjs'
import { runMain, step } from '../progress.mjs'
import { dockerSettings } from './docker-settings.mjs'
import { serverRuns } from './running.mjs'

/** Verbs of `tools.mjs`. */
const WORK = { alone, save, check, load }

await runMain(async () => {
  const settings = dockerSettings()
  const work = WORK[/** @type {keyof typeof WORK} */ (process.argv[2])]
  if ((work === save || work === load) && serverRuns(settings))
    throw new Failure('the server runs: docker compose stop server first')
  const folder = databaseBefore(settings.home)
  const login = databaseLogin(settings)
  if (!settings['database.own']) await requireNoOtherCell(login, settings.cell)
  await step('database', (report) => work(folder, login, report)).catch((error) => {
    throw diskFull(error, folder)
  })
  return 0
})

/** @typedef {(folder: string, login: import('../backups/database.mjs').Login, report: (text: string) => void) => Promise<void>} Work */

/** @type {Work} */
async function alone(_, __, report) {
  report('used by this cell alone')
}

/** @type {Work} */
async function save(folder, login, report) {
  report('saving')
  const fresh = `${folder}.new`
  for (const old of [fresh, folder]) rmSync(old, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  await dumpDatabase(login, join(fresh, DUMP), async () => {})
  await writeSums([{ folder: fresh, names: [DUMP] }], join(fresh, SUMS))
  renameSync(fresh, folder)
  syncFolder(dirname(folder))
  report('saved')
}

/** @type {Work} */
async function check(folder, _, report) {
  if (!existsSync(folder)) throw new Failure('no database was saved: there is nothing to go back to')
  await checkSums(folder)
  report('saved, and whole')
}

/** @type {Work} */
async function load(folder, login, report) {
  await check(folder, login, report)
  report('as it was')
  await emptyDatabase(login)
  await loadDatabase(login, join(folder, DUMP))
}
