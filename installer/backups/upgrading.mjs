/** From one version of a running appliance to the next, and back. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chooseSwitch } from '../appliance.mjs'
import { Failure } from '../failure.mjs'
import { prepareTables } from '../parts/server.mjs'
import { isAlive, signal } from '../processes.mjs'
import { step } from '../progress.mjs'
import { readSecrets } from '../secrets.mjs'
import { ROOT } from '../settings.mjs'
import { STOP_GRACE_MS, anythingRuns, readState, stopAppliance, writeJson } from '../state.mjs'
import { until } from '../waiting.mjs'
import { DUMP } from './archive.mjs'
import { dumpDatabase, emptyDatabase, loadDatabase } from './database.mjs'
import { requireNoOtherCell } from './other-cells.mjs'
import { databaseLogin } from './places.mjs'
import { withMariadb } from './scratch-mariadb.mjs'
import { serverEnvironment, switchJournal } from '../part-options.mjs'

/**
 * @typedef {import('../settings.mjs').Settings} Settings
 * @typedef {import('./runner.mjs').Runner} Runner
 * @typedef {import('./runner.mjs').Version & {at: string, dump: string}} WayBack the old version; when its server was
 *   stopped; the database as it was then
 */

/** @param {string} home */
const wayBackFile = (home) => join(home, 'run/upgrade.json')

/** @param {string} home @returns {WayBack} @throws {Failure} */
export function readWayBack(home) {
  const path = wayBackFile(home)
  if (!existsSync(path)) throw new Failure('there is nothing to go back to: no upgrade was made')
  return JSON.parse(readFileSync(path, 'utf8'))
}

/**
 * Stops the old version's server, brings the tables to this version and starts it; calls go on.
 * @param {Settings} settings
 * @param {Runner} runner
 * @param {import('../state.mjs').SupervisorState} old
 * @throws {Failure} where it stopped
 */
export async function moveOn(settings, runner, old) {
  const folder = join(settings.home, 'run/before-upgrade')
  const dump = join(folder, DUMP)
  rmSync(wayBackFile(settings.home), { force: true })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  /** @type {WayBack} */
  const way = { ...runner.versionAt(old.root), at: new Date().toISOString(), dump: '' }
  writeJson(wayBackFile(settings.home), way)
  await step('old server', async (report) => {
    await runner.hold()
    await leave(settings.home)
    report('stopped; calls go on')
  })
  await step('database', async (report) => {
    report('saving what has changed since the backup')
    await dumpDatabase(databaseLogin(settings), dump, async () => {})
    writeJson(wayBackFile(settings.home), { ...way, dump })
    report('migrating')
    await prepareTables({
      environment: serverEnvironment(settings, switchJournal(settings, chooseSwitch(settings))),
      log: join(settings.home, 'log/migrate.log'),
    })
    report('migrated')
  })
  await step('new version', (report) => runner.start({ root: ROOT }).then(() => report('up')))
}

/**
 * @param {Settings} settings
 * @param {Runner} runner
 * @param {WayBack} way
 * @returns {Promise<WayBack>} once the old version is up with its data
 * @throws {Failure} and nothing has changed, where other cells live on the same database
 */
export async function bringBack(settings, runner, way) {
  const { home } = settings
  if (!existsSync(join(way.root, 'installer/up.mjs'))) throw new Failure(`the checkout ${way.root} is gone`)
  if (way.dump !== '' && !settings['database.own'])
    await requireNoOtherCell(databaseLogin(settings), settings.cell)
  if (readState(home)?.phase === 'up') {
    await runner.hold()
    await leave(home)
  }
  if (way.dump !== '') {
    await step('database', async (report) => {
      report('as it was')
      const login = databaseLogin(settings)
      const load = async () => {
        await emptyDatabase(login)
        await loadDatabase(login, way.dump)
      }
      const mariadb = readState(home)?.parts.find(({ name }) => name === 'mariadb')?.process
      if (!settings['database.own'] || isAlive(mariadb)) return load()
      if (anythingRuns(readState(home))) await stopAppliance(home)
      await withMariadb(settings, { folder: join(home, 'mariadb'), secrets: readSecrets(home).secrets }, load)
    })
  }
  await step('old version', (report) => runner.start(way).then(() => report('up')))
  // Taken once: a second time it would take back what was written since.
  rmSync(wayBackFile(home), { force: true })
  return way
}

/**
 * Has the supervisor end itself and the server, and nothing that carries calls.
 * @param {string} home
 */
async function leave(home) {
  const { supervisor } = readState(home) ?? {}
  if (!supervisor) return
  signal(supervisor.pid, 'SIGUSR2')
  await until(
    async () => {
      if (isAlive(supervisor)) throw new Error(`pid ${supervisor.pid} is alive`)
    },
    { deadlineMs: STOP_GRACE_MS.server + 20_000, what: 'the end of the old supervisor' },
  )
  if (readState(home)?.phase !== 'left')
    throw new Failure('the old supervisor ended in disorder: see its log')
}
