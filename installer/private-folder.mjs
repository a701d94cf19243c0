/** Folders with customers' data and logs: not accessible to other users of the machine. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'

const OTHERS = 0o007

/**
 * Creates a folder, or restricts an existing one to its owner.
 * @param {string} path
 */
export function privateFolder(path) {
  mkdirSync(path, { recursive: true, mode: 0o750 })
  const { mode } = statSync(path)
  if ((mode & OTHERS) === 0) return
  try {
    chmodSync(path, mode & 0o7777 & ~OTHERS)
  } catch (error) {
    // Another user's folder, such as a mounted one, keeps its modes.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') throw error
  }
}
