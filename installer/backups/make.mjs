/** Making a backup of an appliance that runs: nothing is stopped, no call hears of it. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { syncFolder, writeDurable } from '../durable.mjs'
import { Failure } from '../failure.mjs'
import { lock } from '../lock.mjs'
import { ROOT } from '../settings.mjs'
import { readState } from '../state.mjs'
import { DUMP, MANIFEST, SUMS, checkPassphrase, pack, writeSums } from './archive.mjs'
import { copyState } from './copies.mjs'
import { dumpDatabase, migrationsOf } from './database.mjs'
import { backupFolder, databaseLogin, places } from './places.mjs'
import { diskFull, requireRoom } from './room.mjs'
import { requireWholeTables } from './way-back.mjs'

/**
 * @typedef {import('../settings.mjs').Settings} Settings
 *
 * @typedef {object} Manifest what a backup tells of itself
 * @property {1} format
 * @property {string} version of Jackfield
 * @property {string} made_at ISO time
 * @property {string[]} migrations that its database has seen
 * @property {Record<string, string>} environment settings that came from the environment
 *
 * @typedef {object} Wish
 * @property {string} [to] a file, or a folder that is there
 * @property {string} [passphraseFile]
 * @property {number} [keep] how many backups of ours the folder may hold in the end
 */

const FORMAT = 1
const WORK = '.backup'
/** How the work of a run begins, in the folder that its backup goes to; others' may lie there too. */
const WORK_OF = `${WORK}-`
/** No backup takes longer (pipe.mjs). */
const FORGOTTEN_MS = 25 * 3_600_000
const NAME = /^jackfield-\d{8}T\d{6}Z\.tar(\.gpg)?$/

/**
 * Where the parts of a backup lie while it is made or checked; a later backup removes what was forgotten there.
 * @param {string} file
 * @param {string} [maker] whose work it is
 */
export function workFolder(file, maker = 'check') {
  return join(dirname(file), `${WORK_OF}${maker}-${basename(file)}`)
}

/**
 * What tells the work of this home from that of others, which may have the same path on other machines.
 * @param {string} home
 */
function makerOf(home) {
  const path = join(home, 'run/backup-maker')
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  if (kept) return kept
  const made = randomBytes(6).toString('hex')
  writeFileSync(path, `${made}\n`, { mode: 0o644 })
  return made
}

/** @returns {string} the version of this checkout */
export function ownVersion() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
}

/**
 * @param {Settings} settings
 * @param {Wish} wish
 * @param {(text: string) => void} report
 * @returns {Promise<{file: string, bytes: number, removed: string[]}>}
 * @throws {Failure}
 */
export async function makeBackup(settings, { to, passphraseFile, keep }, report) {
  if (!existsSync(join(settings.home, 'secrets')))
    throw new Failure(`there is no appliance in ${settings.home}: set JACKFIELD_HOME to its folder`)
  requireWholeTables(settings.home)
  if (passphraseFile) await checkPassphrase(passphraseFile)
  const file = await target(settings, to, passphraseFile !== undefined)
  const unlock = lock(settings.home, 'backup', 'backup')
  const maker = makerOf(settings.home)
  const work = workFolder(file, maker)
  const sources = places(settings)
  const tidy = () => {
    for (const folder of [work, ...sources.map((place) => join(place.folder, WORK))])
      rmSync(folder, { recursive: true, force: true })
  }
  try {
    tidy() // what a run that was killed has left
    removeForgotten(dirname(file), maker)
    await mkdir(work, { mode: 0o700 })
    await requireRoom(settings, file, sources)
    report('reading the database')
    await collect(settings, sources, work)
    report('adding up')
    const parts = [
      { folder: work, names: [MANIFEST, DUMP] },
      ...sources.map((place) => ({ folder: join(place.folder, WORK), names: [place.name] })),
    ].filter(({ folder }) => existsSync(folder))
    const since = Date.now()
    await writeSums(parts, join(work, SUMS))
    report('writing')
    const aside = join(work, 'written')
    await pack([...parts, { folder: work, names: [SUMS] }], aside, passphraseFile, since)
    renameSync(aside, file)
    syncFolder(dirname(file))
    tellMade(settings.home)
    const removed = keep === undefined ? [] : removeOld(dirname(file), keep)
    return { file, bytes: statSync(file).size, removed }
  } catch (error) {
    throw diskFull(error, dirname(file))
  } finally {
    tidy()
    unlock()
  }
}

/**
 * Brings together all that goes into it. Links lie in the place that they lead to: another disk could not hold them.
 * @param {Settings} settings
 * @param {import('./places.mjs').Place[]} sources
 * @param {string} work
 */
async function collect(settings, sources, work) {
  const copyAll = async () => {
    for (const place of sources)
      if (existsSync(place.folder)) await copyState(place, join(place.folder, WORK, place.name))
  }
  const login = databaseLogin(settings)
  await copyAll()
  await dumpDatabase(login, join(work, DUMP), copyAll)
  /** @type {Manifest} */
  const manifest = {
    format: FORMAT,
    version: ownVersion(),
    made_at: new Date().toISOString(),
    migrations: await migrationsOf(login),
    environment: environmentOf(settings),
  }
  writeFileSync(join(work, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
}

/**
 * The settings that the appliance was started with; a timer's environment is another.
 * @param {Settings} settings
 */
function environmentOf(settings) {
  const pid = readState(settings.home)?.supervisor.pid
  /** @type {(readonly [string, string])[]} */
  let pairs = Object.entries(process.env).map(([name, value]) => [name, value ?? ''])
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'utf8')
    pairs = text.split('\0').map((line) => {
      const [name = '', ...value] = line.split('=')
      return [name, value.join('=')]
    })
  } catch {
    // it does not run
  }
  const named = pairs.filter(
    ([name]) => name.startsWith('JACKFIELD_') && !/^JACKFIELD_(HOME$|TEST_)/.test(name),
  )
  return Object.fromEntries(named)
}

/**
 * @param {Settings} settings
 * @param {string | undefined} to
 * @param {boolean} sealed
 */
async function target(settings, to, sealed) {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const name = `jackfield-${stamp}.tar${sealed ? '.gpg' : ''}`
  const given = resolve(to ?? backupFolder(settings))
  if (to === undefined) await mkdir(given, { recursive: true, mode: 0o700 })
  const folder = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? given : dirname(given)
  // A folder that is not mounted would become a file of its name, which each night's backup overwrites.
  if (folder !== given && !/\.tar(\.gpg)?$/.test(given))
    throw new Failure(`--to: there is no folder ${given}; a file's name ends with .tar or .tar.gpg`)
  if (!existsSync(folder)) throw new Failure(`--to: there is no folder ${folder}`)
  return folder === given ? join(folder, name) : given
}

/**
 * Removes the work of runs that were killed: it holds the database, and not encrypted. What is younger and another's may
 * be that of an appliance which is at work; we hold our own lock.
 * @param {string} folder
 * @param {string} maker
 */
function removeForgotten(folder, maker) {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(WORK_OF))) {
    const path = join(folder, name)
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (name.startsWith(`${WORK_OF}${maker}-`) || mtimeMs < Date.now() - FORGOTTEN_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

/** For the server, which measures how old it is (server/src/operator/upkeep.ts). @param {string} home */
function tellMade(home) {
  writeDurable(join(home, 'run/last-backup'), `${new Date().toISOString()}\n`, 0o644)
}

/** @param {string} folder @param {number} keep @returns {string[]} */
function removeOld(folder, keep) {
  const old = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
    .slice(keep)
  for (const name of old) rmSync(join(folder, name))
  return old
}
