/**
 * Log files of the parts. Each part writes its file itself (it survives the supervisor), so rotation copies the
 * file and truncates it; lines written in that instant may be lost.
 */
import { copyFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { readTail } from './processes.mjs'

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
    rmSync(`${path}.1`, { force: true }) // the disk is full: truncate the file anyway
  }
  truncateSync(path, 0)
  return true
}

/**
 * The last error line of a log.
 * @param {string} log
 * @param {number} from byte at which this start began
 */
export function lastError(log, from) {
  const lines = readTail(log, from, 8192).split('\n')
  const line = lines.findLast(
    (text) => /\b(error|crit|critical|emerg|fatal|refus|cannot|must be)/i.test(text) && !/^\s+at /.test(text),
  )
  return line ? `: ${line.trim().slice(0, 240)}` : ''
}
