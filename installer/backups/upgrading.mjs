/** From one version of a running appliance to the next, and back. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chooseSwitch } from '../appliance.mjs'
import { Failure } from '../failure.mjs'
import { prepareTables } from '../parts/server.mjs'
import { isAlive, run, signal } from '../processes.mjs'
import { step } from '../progress.mjs'
import { readSecrets } from '../secrets.mjs'
import { ROOT } from '../settings.mjs'
import { STOP_GRACE_MS, anythingRuns, readState, stopAppliance, writeJson } from '../state.mjs'
import { until } from '../waiting.mjs'
import { DUMP } from './archive.mjs'
import { dumpDatabase, emptyDatabase, loadDatabase } from './database.mjs'
import { databaseLogin } from './places.mjs'
import { withMariadb } from './scratch-mariadb.mjs'
import { serverEnvironment, switchJournal } from '../part-options.mjs'

const UP_MS = 15 * 60_000

/**
 * @typedef {import('../settings.mjs').Settings} Settings
 * @typedef {{root: string, at: string, dump: string}} WayBack checkout of the old version; when its server was stopped;
 *   the database as it was then
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
 * @param {import('../state.mjs').SupervisorState} old
 * @throws {Failure} where it stopped
 */
export async function moveOn(settings, old) {
  const folder = join(settings.home, 'run/before-upgrade')
  const dump = join(folder, DUMP)
  rmSync(wayBackFile(settings.home), { force: true })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  /** @type {WayBack} */
  const way = { root: old.root, at: new Date().toISOString(), dump: '' }
  writeJson(wayBackFile(settings.home), way)
  await step('old server', async (report) => {
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
  await step('new version', (report) => up(settings, ROOT, report))
}

/**
 * @param {Settings} settings
 * @param {WayBack} way
 * @returns {Promise<WayBack>} once the old version is up with its data
 */
export async function bringBack(settings, way) {
  const { home } = settings
  if (!existsSync(join(way.root, 'installer/up.mjs'))) throw new Failure(`the checkout ${way.root} is gone`)
  if (readState(home)?.phase === 'up') await leave(home)
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
  await step('old version', (report) => up(settings, way.root, report))
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

/**
 * @param {Settings} settings
 * @param {string} root
 * @param {(text: string) => void} report
 */
async function up(settings, root, report) {
  const log = join(settings.home, 'log/upgrade.log')
  const { code, output } = await run(process.execPath, [join(root, 'installer/up.mjs')], {
    ...{ log, cwd: root, deadlineMs: UP_MS, what: `npm run up in ${root}` },
  })
  if (code !== 0) {
    const reason = output.split('\n').find((line) => line.startsWith('jackfield: ')) ?? `exit code ${code}`
    throw new Failure(`${reason.replace('jackfield: ', '')} (see ${log})`)
  }
  report('up')
}
