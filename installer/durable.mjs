/** Files that survive a power failure: a rename alone may leave an empty file. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a temporary file, syncs it to disk and renames it.
 * @param {string} path in an existing folder
 * @param {string} text
 * @param {number} mode
 */
export function writeDurable(path, text, mode) {
  const aside = `${path}.${process.pid}.new`
  writeFileSync(aside, text, { mode, flush: true })
  renameSync(aside, path)
  syncFolder(dirname(path))
}

/**
 * Syncs a folder's entries to disk.
 * @param {string} path
 */
export function syncFolder(path) {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
