/** Files that must be there after a power failure: a rename alone may leave an empty one. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Written aside, to the disk, and moved into place.
 * @param {string} path in a folder that is there
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
 * Has the names in a folder on the disk.
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
