/** Folders of what customers sent and said, and of logs: not for other users of the machine. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'

const OTHERS = 0o007

/**
 * Makes a folder, or takes from others what they may do in one that is there.
 * @param {string} path
 */
export function privateFolder(path) {
  mkdirSync(path, { recursive: true, mode: 0o750 })
  const { mode } = statSync(path)
  if ((mode & OTHERS) === 0) return
  try {
    chmodSync(path, mode & 0o7777 & ~OTHERS)
  } catch (error) {
    // Somebody else's folder, such as a mounted one, has the modes that they gave it.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') throw error
  }
}
