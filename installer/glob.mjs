/** The two glob patterns of the test suites; Node 20 has no glob. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './settings.mjs'

/**
 * @param {string} pattern `<folder>/**\/*<ending>`, from the checkout's root
 * @returns {string[]} paths from the root, sorted; none if the folder does not exist
 */
export function globSync(pattern) {
  const [folder = '', ending = ''] = pattern.split('/**/*')
  try {
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .map((name) => join(folder, name))
      .sort()
  } catch {
    return []
  }
}
