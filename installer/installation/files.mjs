/** Files of an installation, written only if they differ. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, codeOf } from '../failure.mjs'
import { anythingRuns, readState } from '../state.mjs'
import { ROOT } from '../settings.mjs'

/**
 * @param {string} path
 * @param {string} text
 * @param {number} mode
 * @returns {boolean} whether it was written
 */
export function writeIfChanged(path, text, mode) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
  return true
}

/**
 * The `jackfield` command of this machine.
 * @param {import('./places.mjs').Places} places
 * @param {string} node path of the node program
 */
export function programText({ state }, node) {
  return `#!/bin/sh
# written by \`jackfield install\`
JACKFIELD_HOME="\${JACKFIELD_HOME:-${state}}" exec ${node} ${ROOT}/cli/bin/run.js "$@"
`
}

/**
 * Creates the state folder, and makes the checkout's `var` a link to it. State of a trial with `npm run up` in `var`
 * becomes the installation's state.
 * @param {import('./places.mjs').Places} places
 * @returns {boolean} whether the state of a trial was taken over
 * @throws {Failure} if both have state, or the trial is running
 */
export function takeState({ state, link }) {
  const there = lstatSync(link, { throwIfNoEntry: false })
  if (there?.isSymbolicLink()) {
    mkdirSync(state, { recursive: true, mode: 0o750 })
    if (existsSync(link) && realpathSync(link) === realpathSync(state)) return false
    throw new Failure(`${link} leads to another installation: uninstall that one first, then remove the link`)
  }
  if (there) {
    if (anythingRuns(readState(link))) throw new Failure('this checkout is up: run npm run down first')
    moveTrial(link, state)
  } else mkdirSync(state, { recursive: true, mode: 0o750 })
  chmodSync(state, 0o750)
  symlinkSync(state, link)
  return there !== undefined
}

/**
 * Lets every program that knows the state find the settings, without a further variable.
 * @param {import('./places.mjs').Places} places
 */
export function linkSettings({ state, config }) {
  const link = join(state, 'config.json')
  const there = lstatSync(link, { throwIfNoEntry: false })
  if (there?.isSymbolicLink() && readlinkSync(link) === config) return
  // immediately, as otherwise the defaults would apply; the settings of a trial or a backup were taken over
  const aside = `${link}.new`
  rmSync(aside, { force: true })
  symlinkSync(config, aside)
  renameSync(aside, link)
}

/** @param {string} link @param {string} state */
function moveTrial(link, state) {
  if (existsSync(join(state, 'secrets'))) {
    throw new Failure(`${link} and ${state} both hold the state of an appliance: move one of them away`)
  }
  mkdirSync(dirname(state), { recursive: true })
  try {
    if (existsSync(state)) rmdirSync(state) // an empty one created for it
    renameSync(link, state)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV' && codeOf(error) !== 'ENOTEMPTY') throw error
    throw new Failure(`${link} cannot become ${state}: move it there yourself with mv, and run this again`)
  }
}
