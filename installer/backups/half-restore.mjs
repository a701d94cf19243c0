/**
 * Marks a restore that overwrites existing tables, from before it empties them until old and new data are swapped: while
 * the mark exists nothing starts on data that may be a mix of both.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeDurable } from '../durable.mjs'
import { Failure } from '../failure.mjs'
import { hasPlan } from './swap.mjs'

/** @param {string} home */
export const halfRestoreFile = (home) => join(home, 'run/restore.json')

/**
 * @param {string} home
 * @param {{file: string, before: string}} restore the backup; the dump of the previous tables, '' if there were none
 */
export function writeHalfRestore(home, restore) {
  const path = halfRestoreFile(home)
  mkdirSync(dirname(path), { recursive: true })
  writeDurable(path, `${JSON.stringify(restore)}\n`, 0o644)
}

/** Removes the mark. @param {string} home */
export function removeHalfRestore(home) {
  rmSync(halfRestoreFile(home), { force: true })
}

/**
 * Called before anything starts on the data, or backs it up.
 * @param {string} home
 * @throws {Failure} while a restore is running, or was interrupted
 */
export function requireNoHalfRestore(home) {
  const path = halfRestoreFile(home)
  if (!existsSync(path) && !hasPlan(home)) return
  const { file, before } = readHalfRestore(path)
  const kept = before ? `; the tables of before are in ${before}` : ''
  throw new Failure(
    `a restore is under way, or was cut off: wait for it, or run it again: npm run restore -- ${file} --replace${kept}`,
  )
}

/** @param {string} path @returns {{file: string, before: string}} */
function readHalfRestore(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { file: '<file>', before: '' } // its existence is enough
  }
}
