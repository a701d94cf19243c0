/** Copies of a place that need no disk space: hard links to immutable files, copies of the others. */
import { chmod, chown, copyFile, link, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../failure.mjs'
import { isWrittenInPlace, stateIn } from './places.mjs'

/** @typedef {import('./places.mjs').Place} Place */

/** Errors of a file system without hard links. */
const NO_LINKS = ['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP']

/**
 * Adds files of a place that `to` lacks. Called once before the database dump and once after: a file is created
 * before its row and deleted after it, so that one of the two calls finds the file of each row.
 * @param {Place} place
 * @param {string} to
 */
export async function copyState(place, to) {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of stateIn(place)) await copyTree(place, name, to)
}

/**
 * @param {Place} place
 * @param {string} path within the place
 * @param {string} to
 */
async function copyTree(place, path, to) {
  const from = join(place.folder, path)
  const entries = await readdir(from, { withFileTypes: true }).catch((error) => {
    if (codeOf(error) === 'ENOTDIR') return null
    if (codeOf(error) === 'ENOENT') return [] // removed meanwhile
    throw error
  })
  if (entries === null) return copyOne(place, path, to)
  await mkdir(join(to, path), { recursive: true, mode: 0o700 })
  await ownAs(from, join(to, path))
  for (const entry of entries) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) await copyTree(place, inner, to)
    else if (entry.isSymbolicLink()) await copyLink(join(place.folder, inner), join(to, inner))
    else if (entry.isFile() && !entry.name.endsWith('.tmp')) await copyOne(place, inner, to)
  }
}

/**
 * @param {Place} place
 * @param {string} path
 * @param {string} to
 */
async function copyOne(place, path, to) {
  const from = join(place.folder, path)
  const target = join(to, path)
  try {
    // A file that is still being written has grown since.
    if (isWrittenInPlace(place.name, path)) return await copyWhole(from, target)
    await link(from, target)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST' || code === 'ENOENT') return // there already, or removed meanwhile
    if (!code || !NO_LINKS.includes(code)) throw error
    await copyWhole(from, target)
  }
}

/** Certbot’s certificates are symbolic links. @param {string} from @param {string} to */
async function copyLink(from, to) {
  await symlink(await readlink(from), to).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

/** @param {string} from @param {string} to */
async function copyWhole(from, to) {
  // Certbot's keys are read-only, and so is the first copy: without root it must be made writable for the second.
  await chmod(to, 0o600).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  await copyFile(from, to)
  await ownAs(from, to)
}

/** @param {string} from @param {string} to gets the rights of `from` */
async function ownAs(from, to) {
  const { uid, gid, mode } = await stat(from)
  if (process.getuid?.() === 0) await chown(to, uid, gid)
  await chmod(to, mode & 0o7777)
}
