/** Restore: everything is unpacked, checked and loaded beside the existing data, and swapped only at the end. */
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
import { syncFolder } from '../durable.mjs'
import { Failure, codeOf, messageOf } from '../failure.mjs'
import { lock } from '../lock.mjs'
import { readSecrets } from '../secrets.mjs'
import { readSettings } from '../settings.mjs'
import { anythingRuns, readState } from '../state.mjs'
import { DUMP, MANIFEST, SUMS, checkSums, unpack } from './archive.mjs'
import { dumpDatabase, emptyDatabase, loadDatabase, tablesOf } from './database.mjs'
import { halfRestoreFile, removeHalfRestore, writeHalfRestore } from './half-restore.mjs'
import { watchInterrupts } from './interrupts.mjs'
import { ownVersion } from './make.mjs'
import { requireNoOtherCell } from './other-cells.mjs'
import { pipe } from './pipe.mjs'
import { databaseLogin, places, removeConfigured, stateIn } from './places.mjs'
import { diskFull } from './room.mjs'
import { withMariadb } from './scratch-mariadb.mjs'
import { NEW, finishSwap, hasPlan, writePlan } from './swap.mjs'
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
 * @param {import('./interrupts.mjs').Interrupts} [interrupts]
 * @returns {Promise<{manifest: Manifest, asides: string[], missing: Record<string, string>}>} `asides`: where the old data
 *   is; `missing`: environment settings of the backup that are not set here
 * @throws {Failure} in which case nothing has changed
 */
export async function restoreBackup(
  file,
  { passphraseFile, replace },
  report,
  interrupts = watchInterrupts('a restore'),
) {
  const { home } = readSettings()
  if (!existsSync(file)) throw new Failure(`there is no file ${file}`)
  if (anythingRuns(readState(home))) throw new Failure('the appliance runs: stop it first with npm run down')
  const unlock = lock(home, 'up', 'npm run up, restore or upgrade')
  const fresh = join(home, NEW)
  const next = (/** @type {string} */ text) => {
    interrupts.goOn()
    report(text)
  }
  /** @param {Settings} settings */
  const tidy = (settings) => {
    for (const folder of newFolders(settings)) rmSync(folder, { recursive: true, force: true })
  }
  let settings = readSettings()
  try {
    if (finishSwap(home)) settings = readSettings()
    tidy(settings)
    if (!replace) requireEmpty(settings)
    mkdirSync(fresh, { recursive: true, mode: 0o755 }) // MariaDB's own user must pass
    next('unpacking')
    await unpack(file, fresh, passphraseFile)
    next('checking')
    const manifest = await check(fresh)
    settings = settingsOf(fresh)
    if (!replace) requireEmpty(settings)
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    next('laying it beside what is there')
    const { plan, asides } = arrange(settings, fresh, stamp)
    const swap = async () => {
      interrupts.hold()
      await onTheDisk(newFolders(settings))
      removeConfigured(home)
      writePlan(home, plan)
    }
    next('loading the database')
    if (settings['database.own']) await loadOwn(settings, fresh, stamp).then(swap)
    else await loadForeign(settings, { file, fresh, replace, stamp, hold: interrupts.hold }, swap)
    finishSwap(home)
    const missing = Object.entries(manifest.environment).filter(
      ([name, value]) => process.env[name] !== value,
    )
    return {
      manifest,
      asides: asides.filter((path) => existsSync(path)),
      missing: Object.fromEntries(missing),
    }
  } catch (error) {
    interrupts.goOn()
    throw error
  } finally {
    if (!hasPlan(home)) tidy(settings)
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

/** @param {string} fresh @returns {Promise<Manifest>} of a backup that is complete and not of a newer version */
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

/** @param {string} fresh @returns {Settings} the settings after the restore */
function settingsOf(fresh) {
  const kept = join(fresh, 'home/config.json')
  const config = process.env['JACKFIELD_CONFIG'] || (existsSync(kept) ? kept : '')
  return readSettings({ ...process.env, JACKFIELD_CONFIG: config || undefined })
}

/**
 * @param {Settings} settings
 * @param {string} fresh
 * @param {string} stamp
 */
async function loadOwn(settings, fresh, stamp) {
  const kept = join(fresh, 'home')
  const { folder } = newDatabase(settings.home, stamp)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, '..'), { recursive: true, mode: 0o755 })
  const { secrets } = readSecrets(kept)
  await withMariadb(settings, { folder, secrets }, () =>
    loadDatabase(databaseLogin(settings, kept), join(fresh, DUMP)),
  )
}

/**
 * An external database has no room for a second set of tables: they are emptied and loaded and, if anything fails
 * before the files are swapped, loaded again with the old data.
 * @param {Settings} settings
 * @param {{file: string, fresh: string, replace: boolean, stamp: string, hold: () => void}} how
 * @param {() => Promise<void>} swap
 */
async function loadForeign(settings, { file, fresh, replace, stamp, hold }, swap) {
  const { home } = settings
  const login = databaseLogin(settings)
  const { tables } = await tablesOf(login)
  if (tables.length > 0 && !replace)
    throw new Failure(
      `the database ${login.name} at ${login.host} is not empty: with --replace its tables are replaced`,
    )
  await requireNoOtherCell(login, settings.cell)
  const folder = join(home, `.before-restore-${stamp}`)
  const before = tables.length > 0 ? join(folder, DUMP) : ''
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (before) await dumpDatabase(login, before, async () => {})
  syncFolder(folder)
  hold()
  writeHalfRestore(home, { file, before })
  /** @param {string} dump */
  const fill = async (dump) => {
    await emptyDatabase(login)
    if (dump) await loadDatabase(login, dump)
  }
  try {
    await fill(join(fresh, DUMP))
    await swap()
  } catch (error) {
    await fill(before).catch((/** @type {unknown} */ worse) => {
      throw new Failure(
        `${messageOf(error)}; and the tables cannot be put back: ${messageOf(worse)}: run this again with --replace${before ? `; those of before are in ${before}` : ''}`,
      )
    })
    removeHalfRestore(home)
    throw new Failure(`${messageOf(error)}: the database is as before`)
  }
}

/**
 * Where MariaDB's new files are prepared, and how they get into place. A mount point, such as a container's
 * volume, cannot be renamed, but its content can be moved.
 * @param {string} home
 * @param {string} stamp
 */
function newDatabase(home, stamp) {
  const own = join(home, 'mariadb')
  const aside = join(home, `.before-restore-${stamp}`)
  const folder = join(home, NEW, 'mariadb')
  if (!isMount(own)) return { folder, move: { from: folder, to: own, aside: join(aside, 'mariadb') } }
  const inner = join(own, NEW, 'mariadb')
  const data = { from: join(inner, 'data'), to: join(own, 'data') }
  const old = join(own, `.before-restore-${stamp}`)
  return { folder: inner, move: { ...data, aside: join(old, 'data') } }
}

/** @param {Settings} settings @returns {string[]} folders of the new data until the swap */
function newFolders(settings) {
  const own = join(settings.home, 'mariadb')
  return [
    ...places(settings).map(({ folder }) => join(folder, NEW)),
    ...(settings['database.own'] && isMount(own) ? [join(own, NEW)] : []),
  ]
}

/**
 * Moves each place's files to its own disk, and plans the swap.
 * @param {Settings} settings
 * @param {string} fresh
 * @param {string} stamp
 * @returns {{plan: import('./swap.mjs').Plan, asides: string[]}} `asides` are the future folders of the old data
 */
function arrange(settings, fresh, stamp) {
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
    return { moves, aside }
  })
  const aside = join(settings.home, `.before-restore-${stamp}`)
  const own = settings['database.own'] ? [newDatabase(settings.home, stamp)] : []
  const asides = [aside, ...rest.map((one) => one.aside), ...own.map(({ move }) => dirname(move.aside))]
  return {
    plan: {
      moves: [...rest.flatMap(({ moves }) => moves), ...own.map(({ move }) => move)],
      // the way back leads to the previous tables, and the mark says that the tables are a mix: both are outdated then
      outdated: [wayBackFile(settings.home), halfRestoreFile(settings.home)],
      leftovers: [...newFolders(settings), databaseBefore(settings.home)],
    },
    asides: [...new Set(asides)],
  }
}

/**
 * Called before the swap: after a power failure the new names must not exist without their content.
 * @param {string[]} folders
 */
async function onTheDisk(folders) {
  const args = ['--file-system', ...folders.filter((folder) => existsSync(folder))]
  await pipe([{ command: 'sync', args }], { what: 'what was restored cannot be brought to the disk' })
}

/** @param {string} from @param {string} to on the disk of another place, maybe */
function moveTo(from, to) {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(join(to, '..'), { recursive: true, mode: 0o755 })
  try {
    renameSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    try {
      cpSync(from, to, { recursive: true, preserveTimestamps: true })
    } catch (failure) {
      throw diskFull(failure, dirname(to), 'make room')
    }
    rmSync(from, { recursive: true })
  }
}

/**
 * Writes environment settings of the backup to a file for the operator.
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
