/** State of an upgrade on disk, so that it can be rolled back after an interruption at any point. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurable } from '../durable.mjs'
import { Failure, messageOf } from '../failure.mjs'
import { requireNoHalfRestore } from './half-restore.mjs'

/**
 * @typedef {import('./runner.mjs').Version & {at: string, dump: string, isBetween?: boolean, next?: string}} WayBack the old
 *   version; when its server was stopped; the database dump of that time, '' while it is unchanged; whether the tables
 *   are being migrated, between versions; the checkout of the new version
 */

/** @param {string} home */
export const wayBackFile = (home) => join(home, 'run/upgrade.json')

/**
 * The folder with the database from before an upgrade. In containers it is the only trace of the rollback in the volumes.
 * @param {string} home
 */
export const databaseBefore = (home) => join(home, 'run/before-upgrade')

/** @param {string} home @returns {WayBack} @throws {Failure} */
export function readWayBack(home) {
  const path = wayBackFile(home)
  if (!existsSync(path)) throw new Failure('there is nothing to go back to: no upgrade was made')
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Failure(
      `${path} cannot be read (${messageOf(error)}), so it is not known whether an upgrade was cut off: where one was, npm run restore -- <the backup that it made> --replace; else remove that file`,
    )
  }
}

/** @param {string} home @param {WayBack} way */
export function writeWayBack(home, way) {
  writeDurable(wayBackFile(home), `${JSON.stringify(way, null, 2)}\n`, 0o644)
}

/** @param {string} home */
export function removeWayBack(home) {
  rmSync(wayBackFile(home), { force: true })
}

/**
 * Called before anything starts on the tables, or backs them up.
 * @param {string} home
 * @throws {Failure} while they are between versions after a killed upgrade, or mixed after a killed restore
 */
export function requireWholeTables(home) {
  requireNoHalfRestore(home)
  if (!existsSync(wayBackFile(home))) return
  const { isBetween, next = 'the checkout of the new version' } = readWayBack(home)
  if (isBetween)
    throw new Failure(
      `an upgrade is changing the tables, or was cut off while it did: wait for it, or in ${next}: npm run upgrade -- --back`,
    )
}
