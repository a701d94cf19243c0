/** Checks the disk space for a backup: a full disk would also stop MariaDB. */
import { statfsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, codeOf } from '../failure.mjs'
import { query } from './database.mjs'
import { databaseLogin } from './places.mjs'

/**
 * @param {import('../settings.mjs').Settings} settings
 * @param {string} file
 * @param {import('./places.mjs').Place[]} sources
 */
export async function requireRoom(settings, file, sources) {
  let needed = 2 * (await dumpBytes(databaseLogin(settings)))
  for (const place of sources.filter(({ name }) => name !== 'home'))
    needed += await sizeOf(place.folder, place.leftOut)
  const { bavail, bsize } = statfsSync(dirname(file))
  const free = bavail * bsize
  const wanted = needed + settings['disk.min_mb'] * 1e6
  if (free < wanted) {
    throw new Failure(
      `only ${megabytes(free)} MB are free under ${dirname(file)} and ${megabytes(wanted)} MB are needed: make room, or write to another disk with --to`,
    )
  }
}

/** Size of table data without indexes, in relation to the dump: a fifth was measured, with mostly random ids. */
const DUMPED_SHARE = 0.5

/**
 * Upper bound of the compressed dump. It exists twice: by itself, and in the backup.
 * @param {import('./database.mjs').Login} login
 */
async function dumpBytes(login) {
  const [bytes = '0'] = await query(
    login,
    'SELECT COALESCE(SUM(data_length), 0) FROM information_schema.tables WHERE table_schema = DATABASE()',
  )
  return DUMPED_SHARE * Number(bytes)
}

/** @param {number} bytes */
const megabytes = (bytes) => Math.ceil(bytes / 1e6)

/** @param {string} folder @param {readonly string[]} leftOut @returns {Promise<number>} bytes */
async function sizeOf(folder, leftOut) {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (entry.name.startsWith('.') || leftOut.includes(entry.name)) continue
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? await sizeOf(path, []) : ((await lstat(path).catch(() => null))?.size ?? 0)
  }
  return bytes
}

/**
 * @param {unknown} error
 * @param {string} folder
 * @param {string} [advice]
 */
export function diskFull(error, folder, advice = 'make room, or write to another with --to') {
  const full =
    codeOf(error) === 'ENOSPC' || (error instanceof Error && /No space left|ENOSPC/.test(error.message))
  return full ? new Failure(`the disk of ${folder} is full, nothing was kept: ${advice}`) : error
}
