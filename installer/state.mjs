/** State of the supervisor: var/run/supervisor.json, read by up, down and status. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isAlive, stop } from './processes.mjs'

/**
 * @typedef {import('./processes.mjs').Identity} Identity
 *
 * @typedef {object} PartState
 * @property {string} name `mariadb`, `kamailio`, `switch`, `server`
 * @property {string} title for display
 * @property {'waiting' | 'preparing' | 'starting' | 'up' | 'restarting' | 'down'} state
 * @property {Identity | null} process
 * @property {string} since when `state` began, ISO time
 * @property {number} restarts since the supervisor started
 * @property {number} readyMs how long the last start took, preparation included; 0 before
 * @property {string} ports for display
 * @property {string} note how its last process ended; '' if it never did
 * @property {string} print of its command and configuration; '' for one that is always restarted
 *
 * @typedef {object} SupervisorState
 * @property {Identity} supervisor
 * @property {string} root folder of the checkout that it runs from
 * @property {string} fingerprint of what runs: code, configuration and settings
 * @property {'starting' | 'up' | 'stopping' | 'stopped' | 'failed' | 'left' | 'orphaned'} phase `left`: calls
 *   continue without a supervisor until that of the next version takes over their parts; `orphaned`: the same,
 *   after the supervisor was killed
 * @property {string} message why it failed; '' otherwise
 * @property {string} startedAt ISO time
 * @property {'freeswitch' | 'sandbox'} switchKind
 * @property {string} switchBinary '' for the sandbox
 * @property {Omit<import('./runtime/choose.mjs').Runtime, 'program'>} [runtime] the Node that the server runs on; older
 *   versions do not tell
 * @property {PartState[]} parts
 */

/** @param {string} home */
export function statePath(home) {
  return join(home, 'run/supervisor.json')
}

/** @param {string} home */
export function appliancePath(home) {
  return join(home, 'appliance.json')
}

/**
 * @param {string} home
 * @returns {SupervisorState | null} null when none was ever written
 */
export function readState(home) {
  try {
    return JSON.parse(readFileSync(statePath(home), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Written to a temporary file and renamed, so that readers never see half of it.
 * @param {string} path
 * @param {unknown} value
 */
export function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true })
  const aside = `${path}.${process.pid}.new`
  writeFileSync(aside, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o644 })
  renameSync(aside, path)
}

/**
 * Whether anything of the appliance runs: the supervisor, or a part that survived it.
 * @param {SupervisorState | null} state
 * @returns {boolean}
 */
export function anythingRuns(state) {
  return state !== null && (isAlive(state.supervisor) || state.parts.some((part) => isAlive(part.process)))
}

/** Exit code of a supervisor with invalid settings: a restart would not help (sysexits.h, EX_CONFIG). */
export const EXIT_CONFIG = 78

/** Timeout of each part's graceful stop, in milliseconds; then it is killed. */
export const STOP_GRACE_MS = { server: 30_000, switch: 15_000, kamailio: 10_000, mariadb: 60_000 }

/** Timeout of the graceful stop of everything. */
export const STOP_ALL_MS = Object.values(STOP_GRACE_MS).reduce((sum, grace) => sum + grace, 10_000)

/**
 * Stops the supervisor, which stops its parts, and then every leftover part.
 * @param {string} home
 * @returns {Promise<boolean>} whether anything ran
 */
export async function stopAppliance(home) {
  const state = readState(home)
  if (!state || !anythingRuns(state)) return false
  await stop(state.supervisor, STOP_ALL_MS)
  const left = readState(home) ?? state // the supervisor may have restarted a part meanwhile
  for (const part of [...left.parts].reverse()) await stop(part.process, graceOf(part.name))
  rmSync(appliancePath(home), { force: true })
  return true
}

/**
 * Has the next supervisor take over the parts of a killed one.
 * @param {string} home
 * @returns {boolean} whether there are any; false also if it was stopping them
 */
export function markOrphaned(home) {
  const state = readState(home)
  if (!state || isAlive(state.supervisor) || !['starting', 'up', 'orphaned'].includes(state.phase))
    return false
  if (!anythingRuns(state)) return false
  writeJson(statePath(home), { ...state, phase: 'orphaned' })
  return true
}

/**
 * @param {string} name
 * @returns {number} milliseconds
 */
export function graceOf(name) {
  return STOP_GRACE_MS[/** @type {keyof typeof STOP_GRACE_MS} */ (name)] ?? 10_000
}
