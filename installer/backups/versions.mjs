/** Migrations that this checkout knows. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.mjs'
import { ROOT } from '../settings.mjs'

/**
 * @param {readonly string[]} names migrations of a database, oldest first
 * @param {string} what prefix of the message
 * @throws {Failure} if one is newer than this checkout, or this checkout cannot upgrade from them
 */
export async function requireKnown(names, what) {
  const path = join(ROOT, 'server/dist/src/infrastructure/database/known-migrations.js')
  if (!existsSync(path)) throw new Failure('the server is not built: npm run build')
  /** @type {Record<'newestUnknown' | 'incompleteBefore', (names: readonly string[]) => string | undefined>} */
  const { newestUnknown, incompleteBefore } = await import(path)
  const newer = newestUnknown(names)
  if (newer !== undefined)
    throw new Failure(`${what}: it is newer (${newer}): take that version of Jackfield or a later one`)
  const problem = incompleteBefore(names)
  if (problem !== undefined) throw new Failure(`${what}: it ${problem}`)
}
