/** Results of the checks and suites of `npm test`, and the summary. */
import { nameOf } from './test-plan.mjs'

/**
 * @typedef {import('./mocha-reporter.mjs').SuiteResult} SuiteResult
 * @typedef {object} Outcome
 * @property {string} name of the suite or check
 * @property {SuiteResult} result
 * @property {number} seconds of all its processes together
 * @property {string} reason why it was skipped; '' otherwise
 * @property {string[]} [flaky] what failed, and passed when its file ran again
 */

/** Number of slowest files in the summary. */
const SLOWEST = 15

/** @returns {SuiteResult} */
export function none() {
  return { passed: [], failed: [], skipped: [], failedFiles: [], files: {} }
}

/**
 * What stays failed of a suite whose failing files ran again.
 * @param {string[]} failed full titles, each with its error
 * @param {Pick<SuiteResult, 'passed' | 'failed'>} again
 * @returns {{failed: string[], flaky: string[]}}
 */
export function afterAnotherRun(failed, again) {
  const passedAgain = (/** @type {string} */ one) =>
    again.failed.length === 0 || again.passed.some((title) => one.startsWith(`${title} (`))
  return {
    flaky: failed.filter(passedAgain),
    failed: [...new Set([...again.failed, ...failed.filter((one) => !passedAgain(one))])],
  }
}

/** @param {string} text @param {number} [seconds] */
export function heading(text, seconds) {
  const line = seconds === undefined ? text : `${text} (${seconds.toFixed(1)} s)`
  process.stdout.write(`\n──── ${line} ${'─'.repeat(Math.max(0, 70 - line.length))}\n`)
}

/**
 * Prints the summary; its last line has the counts.
 * @param {Outcome[]} outcomes
 * @param {number} seconds that all of it took
 * @returns {number} exit code
 */
export function summarise(outcomes, seconds) {
  slowest(outcomes)
  heading('summary')
  for (const { name, result, seconds, reason } of outcomes) {
    const { passed, failed, skipped } = result
    const counts = reason
      ? `skipped: ${reason}`
      : `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`
    print(
      `${failed.length > 0 ? '✗' : reason ? '-' : '✓'} ${name.padEnd(36)} ${counts}  (${seconds.toFixed(1)} s)`,
    )
  }
  for (const { name, result, reason } of outcomes) {
    for (const title of result.skipped) print(`  skipped in ${name}: ${title}${reason ? ` (${reason})` : ''}`)
  }
  for (const { name, flaky = [] } of outcomes)
    for (const title of flaky) print(`  FLAKY in ${name}, passed when run again: ${title}`)
  for (const { name, result } of outcomes)
    for (const title of result.failed) print(`  FAILED in ${name}: ${title}`)
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    outcomes.reduce((total, { result }) => total + result[key].length, 0)
  print(`all of it took ${(seconds / 60).toFixed(1)} minutes`)
  print(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') > 0 ? 1 : 0
}

/**
 * The slowest files, with their processor time: where to speed up the run.
 * @param {Outcome[]} outcomes
 */
function slowest(outcomes) {
  const files = outcomes.flatMap(({ name, result }) =>
    Object.entries(result.files).map(([file, took]) => ({ name: `${name}: ${nameOf(file)}`, ...took })),
  )
  if (files.length === 0) return
  heading('slowest files')
  for (const { name, seconds, cpu } of files
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST))
    print(`${seconds.toFixed(1).padStart(7)} s  ${cpu.toFixed(1).padStart(6)} s of processors  ${name}`)
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`)
}
