/** Folders that are mounts: they cannot be renamed, and nothing can be renamed into or out of them. */
import { readFileSync } from 'node:fs'

/**
 * @param {string} folder absolute
 * @param {string} [table] text of /proc/self/mountinfo (proc(5)); volumes of one disk differ in nothing that stat tells
 */
export function isMount(folder, table = readFileSync('/proc/self/mountinfo', 'utf8')) {
  return table.split('\n').some((line) => {
    const point = line.split(' ')[4] ?? ''
    return point.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8))) === folder
  })
}
