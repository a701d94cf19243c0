/** Upgrades a running appliance to a version, and back. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chooseSwitch } from '../appliance.mjs'
import { syncFolder } from '../durable.mjs'
import { Failure } from '../failure.mjs'
import { lock } from '../lock.mjs'
import { prepareTables } from '../parts/server.mjs'
import { chooseRuntime } from '../runtime/choose.mjs'
import { isAlive, processesWith, signal, stop } from '../processes.mjs'
import { step } from '../progress.mjs'
import { readSecrets } from '../secrets.mjs'
import { ROOT } from '../settings.mjs'
import {
  STOP_ALL_MS,
  STOP_GRACE_MS,
  anythingRuns,
  markOrphaned,
  readState,
  stopAppliance,
} from '../state.mjs'
import { until } from '../waiting.mjs'
import { DUMP } from './archive.mjs'
import { dumpDatabase, emptyDatabase, loadDatabase } from './database.mjs'
import { requireNoOtherCell } from './other-cells.mjs'
import { databaseLogin } from './places.mjs'
import { withMariadb } from './scratch-mariadb.mjs'
import { databaseBefore, removeWayBack, writeWayBack } from './way-back.mjs'
import { serverEnvironment, switchJournal } from '../part-options.mjs'

/**
 * @typedef {import('../settings.mjs').Settings} Settings
 * @typedef {import('./runner.mjs').Runner} Runner
 * @typedef {import('./way-back.mjs').WayBack} WayBack
 */

/** Environment variable that marks migration processes, with the home: they survive a killed upgrade. */
const MIGRATES = 'UPGRADE_OF_JACKFIELD'

/**
 * Stops the old version's server, migrates the tables to this version and starts it; calls continue.
 * @param {Settings} settings
 * @param {Runner} runner
 * @param {import('../state.mjs').SupervisorState} old
 * @throws {Failure} at the step that failed
 */
export async function moveOn(settings, runner, old) {
  const folder = databaseBefore(settings.home)
  const dump = join(folder, DUMP)
  removeWayBack(settings.home)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  /** @type {WayBack} */
  const way = { ...runner.versionAt(old.root), at: new Date().toISOString(), dump: '', next: ROOT }
  writeWayBack(settings.home, way)
  await step('old server', async (report) => {
    await runner.hold()
    await leave(settings.home)
    report('stopped; calls go on')
  })
  await step('database', async (report) => {
    report('saving what has changed since the backup')
    await dumpDatabase(databaseLogin(settings), dump, async () => {})
    syncFolder(folder)
    writeWayBack(settings.home, { ...way, dump, isBetween: true })
    report('migrating')
    const environment = serverEnvironment(settings, switchJournal(settings, chooseSwitch(settings)))
    await prepareTables({
      environment: { ...environment, [MIGRATES]: settings.home },
      log: join(settings.home, 'log/migrate.log'),
      node: chooseRuntime(settings).program,
    })
    writeWayBack(settings.home, { ...way, dump })
    report('migrated')
  })
  await step('new version', (report) => runner.start({ root: ROOT }).then(() => report('up')))
}

/**
 * @param {Settings} settings
 * @param {Runner} runner
 * @param {WayBack} way
 * @returns {Promise<WayBack>} once the old version is up with its data
 * @throws {Failure} if other cells run on the same database; nothing has changed then
 */
export async function bringBack(settings, runner, way) {
  const { home } = settings
  if (!existsSync(join(way.root, 'installer/up.mjs'))) throw new Failure(`the checkout ${way.root} is gone`)
  if (way.dump !== '' && !settings['database.own'])
    await requireNoOtherCell(databaseLogin(settings), settings.cell)
  const unlock = lock(home, 'up', 'npm run up')
  try {
    await endOthers(home, runner)
    if (way.dump !== '') await loadTables(settings, way)
  } finally {
    unlock()
  }
  await step('old version', (report) => runner.start(way).then(() => report('up')))
  // Restored once: a second time would lose what was written since.
  removeWayBack(home)
  return way
}

/**
 * Ends processes that use the tables: a server, or leftovers of a killed upgrade.
 * @param {string} home
 * @param {Runner} runner
 */
async function endOthers(home, runner) {
  for (const other of processesWith(MIGRATES, home)) await stop(other, 0)
  const state = readState(home)
  if (state?.phase === 'starting') await stop(state.supervisor, STOP_ALL_MS)
  if (state?.phase !== 'up' && state?.phase !== 'orphaned') return
  await runner.hold()
  await leave(home)
}

/**
 * Restores the tables from the moment when the old version's server was stopped.
 * @param {Settings} settings
 * @param {WayBack} way
 */
async function loadTables(settings, way) {
  const { home } = settings
  writeWayBack(home, { ...way, isBetween: true })
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
  writeWayBack(home, { ...way, isBetween: false })
}

/**
 * Has the supervisor end itself and the server, but no part that carries calls. After a kill this is done already.
 * @param {string} home
 */
async function leave(home) {
  const { supervisor, parts } = readState(home) ?? {}
  if (!supervisor || !parts) return
  if (!isAlive(supervisor)) {
    markOrphaned(home)
    await stop(parts.find(({ name }) => name === 'server')?.process, STOP_GRACE_MS.server)
    return
  }
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
