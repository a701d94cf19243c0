/** Restoring: everything is unpacked, checked and loaded beside what is there, and changes places only in the end. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, codeOf, messageOf } from '../failure.mjs'
import { lock } from '../lock.mjs'
import { readSecrets } from '../secrets.mjs'
import { readSettings } from '../settings.mjs'
import { anythingRuns, readState } from '../state.mjs'
import { DUMP, MANIFEST, SUMS, checkSums, unpack } from './archive.mjs'
import { dumpDatabase, emptyDatabase, loadDatabase, tablesOf } from './database.mjs'
import { ownVersion } from './make.mjs'
import { requireNoOtherCell } from './other-cells.mjs'
import { databaseLogin, places, removeConfigured, stateIn } from './places.mjs'
import { withMariadb } from './scratch-mariadb.mjs'
import { NEW, finishSwap, writePlan } from './swap.mjs'
import { isMount } from './mounts.mjs'
import { requireKnown } from './versions.mjs'
import { databaseBefore, wayBackFile } from './way-back.mjs'

/**
 * @typedef {import('../settings.mjs').Settings} Settings
 * @typedef {import('./make.mjs').Manifest} Manifest
 * @typedef {{passphraseFile?: string | undefined, replace: boolean}} Wish
 */

/**
 * @param {string} file
 * @param {Wish} wish
 * @param {(text: string) => void} report
 * @returns {Promise<{manifest: Manifest, asides: string[], missing: Record<string, string>}>} `asides`: where the old
 *   lies; `missing`: settings of the appliance's environment that this one does not have
 * @throws {Failure} and nothing has changed
 */
export async function restoreBackup(file, { passphraseFile, replace }, report) {
  const { home } = readSettings()
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`)
  if (anythingRuns(readState(home))) throw new Failure('the appliance runs: stop it first with npm run down')
  const unlock = lock(home, 'up', 'npm run up, restore or upgrade')
  const fresh = join(home, NEW)
  try {
    finishSwap(home)
    rmSync(fresh, { recursive: true, force: true })
    if (!replace) requireEmpty(readSettings())
    mkdirSync(fresh, { recursive: true, mode: 0o755 }) // MariaDB's own user must pass
    report('unpacking')
    await unpack(file, fresh, passphraseFile)
    report('checking')
    const manifest = await check(fresh)
    const settings = settingsOf(fresh)
    if (!replace) requireEmpty(settings)
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    report('loading the database')
    await load(settings, fresh, { replace, stamp })
    removeConfigured(home)
    const asides = plan(settings, fresh, stamp)
    finishSwap(home)
    const missing = Object.entries(manifest.environment).filter(
      ([name, value]) => process.env[name] !== value,
    )
    return {
      manifest,
      asides: asides.filter((path) => existsSync(path)),
      missing: Object.fromEntries(missing),
    }
  } finally {
    if (!existsSync(join(fresh, 'plan.json'))) rmSync(fresh, { recursive: true, force: true })
    unlock()
  }
}

/** @param {Settings} settings @throws {Failure} when there is an appliance already */
function requireEmpty(settings) {
  const full = [join(settings.home, 'mariadb/data'), ...places(settings).map(({ folder }) => folder)].find(
    (folder) =>
      folder === settings.home
        ? existsSync(join(folder, 'secrets'))
        : existsSync(folder) && holdsFiles(folder),
  )
  if (full)
    throw new Failure(`there is an appliance in ${full} already: with --replace the backup takes its place`)
}

/** @param {string} folder */
function holdsFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())
}

/** @param {string} fresh @returns {Promise<Manifest>} of a backup that is whole and not of a newer version */
async function check(fresh) {
  for (const name of [MANIFEST, DUMP, SUMS])
    if (!existsSync(join(fresh, name))) throw new Failure(`this is no whole backup: it has no ${name}`)
  await checkSums(fresh)
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(fresh, MANIFEST), 'utf8'))
  if (manifest.format !== 1)
    throw new Failure(`the backup is of format ${manifest.format}, which this version does not know`)
  await requireKnown(
    manifest.migrations,
    `the backup is of Jackfield ${manifest.version}, this is ${ownVersion()}`,
  )
  return manifest
}

/** @param {string} fresh @returns {Settings} those that hold once it is restored */
function settingsOf(fresh) {
  const kept = join(fresh, 'home/config.json')
  const config = process.env['JACKFIELD_CONFIG'] || (existsSync(kept) ? kept : '')
  return readSettings({ ...process.env, JACKFIELD_CONFIG: config || undefined })
}

/**
 * @param {Settings} settings
 * @param {string} fresh
 * @param {{replace: boolean, stamp: string}} how
 */
async function load(settings, fresh, { replace, stamp }) {
  const dump = join(fresh, DUMP)
  const login = databaseLogin(settings, join(fresh, 'home'))
  if (settings['database.own']) {
    const { secrets } = readSecrets(join(fresh, 'home'))
    const { folder } = newDatabase(settings.home, stamp)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(folder, '..'), { recursive: true, mode: 0o755 })
    await withMariadb(settings, { folder, secrets }, () => loadDatabase(login, dump))
    return
  }
  const { tables } = await tablesOf(login)
  if (tables.length > 0 && !replace)
    throw new Failure(
      `the database ${login.name} at ${login.host} is not empty: with --replace its tables are replaced`,
    )
  await requireNoOtherCell(login, settings.cell)
  const folder = join(settings.home, `.before-restore-${stamp}`)
  const before = join(folder, DUMP)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (tables.length > 0) await dumpDatabase(login, before, async () => {})
  try {
    await emptyDatabase(login)
    await loadDatabase(login, dump)
  } catch (error) {
    await emptyDatabase(login)
    if (tables.length > 0) await loadDatabase(login, before)
    throw new Failure(`${messageOf(error)}: the database is as before`)
  }
}

/**
 * Where MariaDB's new files are made, and how they come to their place. A mount of their own, as a volume of a container
 * is one, cannot be moved: what is in it can.
 * @param {string} home
 * @param {string} stamp
 */
function newDatabase(home, stamp) {
  const own = join(home, 'mariadb')
  const aside = join(home, `.before-restore-${stamp}`)
  const folder = join(home, NEW, 'mariadb')
  if (!isMount(own))
    return { folder, move: { from: folder, to: own, aside: join(aside, 'mariadb') }, leftovers: [] }
  const inner = join(own, NEW, 'mariadb')
  const data = { from: join(inner, 'data'), to: join(own, 'data') }
  const old = join(own, `.before-restore-${stamp}`)
  return { folder: inner, move: { ...data, aside: join(old, 'data') }, leftovers: [join(own, NEW)] }
}

/**
 * Brings each place's files to its own disk and writes down what is to move.
 * @param {Settings} settings
 * @param {string} fresh
 * @param {string} stamp
 * @returns {string[]} where the old will lie
 */
function plan(settings, fresh, stamp) {
  const rest = places(settings).map((place) => {
    const unpacked = join(fresh, place.name)
    const near = join(place.folder, NEW, place.name)
    if (existsSync(unpacked) && near !== unpacked) moveTo(unpacked, near)
    const aside = join(place.folder, `.before-restore-${stamp}`)
    const comes = existsSync(near) ? readdirSync(near) : []
    const names = [...new Set([...comes, ...stateIn(place)])]
    const moves = names.map((name) => ({
      from: comes.includes(name) ? join(near, name) : null,
      ...{ to: join(place.folder, name), aside: join(aside, name) },
    }))
    return { moves, aside, leftover: join(place.folder, NEW) }
  })
  const aside = join(settings.home, `.before-restore-${stamp}`)
  const own = settings['database.own'] ? [newDatabase(settings.home, stamp)] : []
  writePlan(settings.home, {
    moves: [...rest.flatMap(({ moves }) => moves), ...own.map(({ move }) => move)],
    leftovers: [
      ...rest.map(({ leftover }) => leftover),
      ...own.flatMap(({ leftovers }) => leftovers),
      // they lead to the tables that were here before
      ...[wayBackFile(settings.home), databaseBefore(settings.home)],
    ],
  })
  const asides = [aside, ...rest.map((one) => one.aside), ...own.map(({ move }) => dirname(move.aside))]
  return [...new Set(asides)]
}

/** @param {string} from @param {string} to on the disk of another place, maybe */
function moveTo(from, to) {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(join(to, '..'), { recursive: true, mode: 0o755 })
  try {
    renameSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    cpSync(from, to, { recursive: true, preserveTimestamps: true })
    rmSync(from, { recursive: true })
  }
}

/**
 * Keeps settings that were in the old environment where a person finds them.
 * @param {string} home
 * @param {Record<string, string>} missing
 * @returns {string} the file
 */
export function keepEnvironment(home, missing) {
  const path = join(home, 'restored.env')
  const lines = Object.entries(missing).map(
    ([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`,
  )
  writeFileSync(path, lines.join(''), { mode: 0o600 })
  return path
}
