/**
 * The swap of a restore: everything new is ready beside the old data, and is renamed into place. The plan is
 * written first; an interrupted swap is completed by the next `up` or `restore`.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder, writeDurable } from '../durable.mjs'

/** Folder for the new data of a place. */
export const NEW = '.restored'
const PLAN = 'plan.json'

/**
 * @typedef {object} Move
 * @property {string | null} from null if the backup has nothing for this place
 * @property {string} to
 * @property {string} aside where the old data goes
 *
 * @typedef {{moves: Move[], outdated?: string[], leftovers: string[]}} Plan `outdated` are state files about the
 *   previous data; `leftovers` are folders to remove afterwards
 */

/**
 * @param {string} home
 * @param {Plan} plan
 */
export function writePlan(home, plan) {
  writeDurable(join(home, NEW, PLAN), JSON.stringify(plan), 0o600)
}

/**
 * @param {string} home
 * @returns {boolean} whether a swap is unfinished
 */
export function hasPlan(home) {
  return existsSync(join(home, NEW, PLAN))
}

/**
 * Performs the plan; steps already done are skipped.
 * @param {string} home
 * @returns {boolean} whether there was a plan
 */
export function finishSwap(home) {
  if (!hasPlan(home)) return false
  const path = join(home, NEW, PLAN)
  /** @type {Plan} */
  const { moves, outdated = [], leftovers } = JSON.parse(readFileSync(path, 'utf8'))
  for (const move of moves) moveOne(move)
  for (const folder of new Set(moves.map(({ to }) => dirname(to)))) if (existsSync(folder)) syncFolder(folder)
  for (const file of outdated) rmSync(file, { force: true })
  rmSync(path) // removed first: half of a plan must not be found again
  for (const folder of leftovers) rmSync(folder, { recursive: true, force: true })
  return true
}

/** @param {Move} move */
function moveOne({ from, to, aside }) {
  if (from !== null && !existsSync(from)) return
  mkdirSync(dirname(to), { recursive: true })
  if (existsSync(to) && !existsSync(aside)) {
    mkdirSync(dirname(aside), { recursive: true, mode: 0o700 })
    renameSync(to, aside)
  }
  if (from !== null) renameSync(from, to)
}
