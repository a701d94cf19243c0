/**
 * A restore that changes what was there, from before it empties the tables until old and new have changed places: while
 * that is written down nothing starts on what may be half of each.
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
 * @param {{file: string, before: string}} restore the backup; the dump of the tables that were there, '' where none were
 */
export function writeHalfRestore(home, restore) {
  const path = halfRestoreFile(home)
  mkdirSync(dirname(path), { recursive: true })
  writeDurable(path, `${JSON.stringify(restore)}\n`, 0o644)
}

/** All is as it was before. @param {string} home */
export function removeHalfRestore(home) {
  rmSync(halfRestoreFile(home), { force: true })
}

/**
 * Before anything starts on the state, or saves it.
 * @param {string} home
 * @throws {Failure} while a restore is changing it, or was cut off
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
    return { file: '<file>', before: '' } // that it is there says enough
  }
}
