/**
 * Log files of the parts. Each part writes to its file itself (it outlives the supervisor), so rotation copies the
 * file and empties it; lines written in that instant may be lost.
 */
import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'

const KEPT = 3

/**
 * Rotates a log file that has grown too large: `<path>.1` is the newest old one, three are kept.
 * @param {string} path
 * @param {number} maxBytes
 * @returns {boolean} whether it was rotated
 */
export function rotate(path, maxBytes) {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return false
  rmSync(`${path}.${KEPT}`, { force: true })
  for (let old = KEPT - 1; old >= 1; old -= 1) {
    if (statSync(`${path}.${old}`, { throwIfNoEntry: false }))
      renameSync(`${path}.${old}`, `${path}.${old + 1}`)
  }
  try {
    copyFileSync(path, `${path}.1`)
  } catch {
    rmSync(`${path}.1`, { force: true }) // the disk is full: the file is emptied all the same
  }
  truncateSync(path, 0)
  return true
}
