/** Hashes that change when their inputs do. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {import('./parts/freeswitch.mjs').Command} command
 * @param {string[]} paths files and folders of configuration
 * @returns {string}
 */
export function printOf(command, paths) {
  const hash = createHash('sha256').update(JSON.stringify(command))
  for (const path of paths.flatMap(filesOf)) hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)))
}
