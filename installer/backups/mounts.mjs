/** Mount points: they cannot be renamed, and nothing can be renamed across them. */
import { readFileSync } from 'node:fs'

/**
 * @param {string} folder absolute
 * @param {string} [table] text of /proc/self/mountinfo (proc(5)); stat cannot distinguish volumes of one disk
 */
export function isMount(folder, table = readFileSync('/proc/self/mountinfo', 'utf8')) {
  return table.split('\n').some((line) => {
    const point = line.split(' ')[4] ?? ''
    return point.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(parseInt(code, 8))) === folder
  })
}
