/**
 * The moment of a restore: everything new lies ready beside the old, and moves into its place. What is to move is
 * written down first; a restore that is killed here is finished by the next `up` or `restore`.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Folder of a place in which the new lies. */
export const NEW = '.restored'
const PLAN = 'plan.json'

/**
 * @typedef {object} Move
 * @property {string | null} from null where the backup has nothing in this place
 * @property {string} to
 * @property {string} aside where the old goes
 *
 * @typedef {{moves: Move[], leftovers: string[]}} Plan `leftovers` are folders that are of no use afterwards
 */

/**
 * @param {string} home
 * @param {Plan} plan
 */
export function writePlan(home, plan) {
  const path = join(home, NEW, PLAN)
  writeFileSync(`${path}.new`, JSON.stringify(plan), { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
  sync(dirname(path))
}

/**
 * Moves what is planned; what has moved already is left alone.
 * @param {string} home
 * @returns {boolean} whether there was a plan
 */
export function finishSwap(home) {
  const path = join(home, NEW, PLAN)
  if (!existsSync(path)) return false
  /** @type {Plan} */
  const { moves, leftovers } = JSON.parse(readFileSync(path, 'utf8'))
  for (const move of moves) moveOne(move)
  for (const folder of new Set(moves.map(({ to }) => dirname(to)))) if (existsSync(folder)) sync(folder)
  rmSync(path) // first: half of a plan must not be found again
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

/** @param {string} path */
function sync(path) {
  const folder = openSync(path, 'r')
  fsyncSync(folder)
  closeSync(folder)
}
