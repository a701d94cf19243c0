/** Makes a backup of a running appliance: nothing is stopped, and calls are not affected. */
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
 * @typedef {object} Manifest metadata of a backup
 * @property {1} format
 * @property {string} version of Jackfield
 * @property {string} made_at ISO time
 * @property {string[]} migrations of its database
 * @property {Record<string, string>} environment settings that came from the environment
 *
 * @typedef {object} Wish
 * @property {string} [to] a file, or a folder that is there
 * @property {string} [passphraseFile]
 * @property {number} [keep] how many of our backups to keep in the folder
 */

const FORMAT = 1
const WORK = '.backup'
/** Prefix of a run's work folder, in the target folder; other appliances' may be there, too. */
const WORK_OF = `${WORK}-`
/** Upper bound for the duration of a backup (pipe.mjs). */
const FORGOTTEN_MS = 25 * 3_600_000
const NAME = /^jackfield-\d{8}T\d{6}Z\.tar(\.gpg)?$/

/**
 * Work folder for the parts of a backup; a later backup removes forgotten ones.
 * @param {string} file
 * @param {string} [maker] the owner of the work folder
 */
export function workFolder(file, maker = 'check') {
  return join(dirname(file), `${WORK_OF}${maker}-${basename(file)}`)
}

/**
 * Distinguishes this home from homes with the same path on other machines.
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
    tidy() // leftovers of killed runs
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
 * Collects all parts. Links are made on the disk of their targets: hard links cannot cross disks.
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
 * The settings that the appliance was started with; a timer's environment may differ.
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
    // it is not running
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
  // If a folder is not mounted, its path would become a file that each backup overwrites.
  if (folder !== given && !/\.tar(\.gpg)?$/.test(given))
    throw new Failure(`--to: there is no folder ${given}; a file's name ends with .tar or .tar.gpg`)
  if (!existsSync(folder)) throw new Failure(`--to: there is no folder ${folder}`)
  return folder === given ? join(folder, name) : given
}

/**
 * Removes work of killed runs: it holds the database unencrypted. Younger work of another appliance may
 * still be in use; we hold our own lock.
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

/** For the server, which reports the age of the backup (server/src/features/platform/upkeep.ts). @param {string} home */
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
