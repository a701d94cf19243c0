/** The settings file of an installation: existing content merged with new values. */
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure, messageOf } from '../failure.mjs'
import { SETTINGS } from '../settings.mjs'
import { QUESTIONS, problemWith } from './flags.mjs'

/** Defaults of an installation, unless the file has a value. */
const FIXED = { 'http.host': '0.0.0.0' }

/** @typedef {Record<string, unknown>} Tree */

/**
 * @param {string} path
 * @returns {Tree} empty without a file
 * @throws {Failure} if it is not JSON
 */
export function readSettingsFile(path) {
  if (!existsSync(path)) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Failure(`cannot read the settings file ${path}: ${messageOf(error)}`)
  }
}

/**
 * The file's new content, in order of precedence: flags, existing values, answers, defaults.
 * @param {Tree} tree the file's content, which is changed
 * @param {Record<string, string>} given values by the name of the setting
 * @param {((question: import('./flags.mjs').Question, fallback: string | undefined) => Promise<string>) | null} ask
 *   null for a non-interactive run
 * @returns {Promise<Tree>} the same
 * @throws {Failure} naming the flag that is missing
 */
export async function answered(tree, given, ask) {
  /** @type {Record<string, string>} */
  const answers = {}
  for (const [flag, question] of Object.entries(QUESTIONS)) {
    const { setting } = question
    const said = given[setting] ?? valueAt(tree, setting)
    const fallback = question.fallback?.(answers)
    const value = said ?? (ask && !question.quiet ? await ask(question, fallback) : fallback)
    if (value === undefined) throw new Failure(`--${flag} is missing: ${question.message}`)
    const problem = problemWith(setting, value)
    if (problem) throw new Failure(`--${flag} ${problem}`)
    answers[setting] = value
    // defaults are not written: the values that they derive from may change
    const isDefault = said === undefined && value === String(SETTINGS[setting].fallback)
    if (!isDefault && valueAt(tree, setting) !== value) put(tree, setting, value)
  }
  for (const [setting, value] of Object.entries(FIXED)) {
    if (valueAt(tree, setting) === undefined) put(tree, setting, value)
  }
  return tree
}

/** @param {Tree} tree @param {string} setting @returns {string | undefined} */
function valueAt(tree, setting) {
  /** @type {unknown} */
  let here = tree
  for (const key of setting.split('.')) here = /** @type {Tree | undefined} */ (here)?.[key]
  return here === undefined ? undefined : String(here)
}

/** @param {Tree} tree @param {string} setting @param {string} value */
function put(tree, setting, value) {
  const keys = setting.split('.')
  const last = keys.pop() ?? ''
  let here = tree
  for (const key of keys) here = /** @type {Tree} */ (here[key] ??= {})
  here[last] = /^(\d+|true|false)$/.test(value) ? JSON.parse(value) : value
}

/**
 * @param {string} path
 * @param {Tree} tree
 * @param {number} gid of the group with read access: it may hold passwords
 * @returns {boolean} whether anything changed
 */
export function writeSettingsFile(path, tree, gid) {
  const text = `${JSON.stringify(tree, null, 2)}\n`
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  const aside = `${path}.new`
  writeFileSync(aside, text, { mode: 0o640, flush: true })
  chownSync(aside, 0, gid)
  renameSync(aside, path)
  return true
}
