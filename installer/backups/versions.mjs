/** Migrations that this checkout knows. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.mjs'
import { ROOT } from '../settings.mjs'

/**
 * @param {readonly string[]} names migrations of a database
 * @param {string} what prefix of the message
 * @throws {Failure} if one is newer than this checkout
 */
export async function requireKnown(names, what) {
  const path = join(ROOT, 'server/dist/src/database/migrations/index.js')
  if (!existsSync(path)) throw new Failure('the server is not built: npm run build')
  /** @type {{migrations: {name: string}[]}} */
  const { migrations } = await import(path)
  const known = new Set(migrations.map(({ name }) => name))
  const newer = names.filter((name) => !known.has(name))
  if (newer.length > 0)
    throw new Failure(`${what}: it is newer (${newer.at(-1)}): take that version of Jackfield or a later one`)
}
