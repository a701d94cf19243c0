/**
 * Mocha's `spec` reporter that also leaves its counts, and what each file took, in the file named by
 * JACKFIELD_TEST_RESULT, for `npm test`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import mocha from 'mocha'
import { ROOT } from './settings.mjs'

/**
 * @typedef {object} SuiteResult
 * @property {string[]} passed full titles
 * @property {string[]} failed full titles, each with its error
 * @property {string[]} skipped
 * @property {string[]} failedFiles files of failed tests
 * @property {Record<string, import('./test-durations.mjs').Duration>} files by path from the checkout's root
 */

/** Of the kernel's times of processes, as proc_pid_stat(5) has them. */
const TICKS_A_SECOND = 100

export default class CountingReporter extends mocha.reporters.Spec {
  /**
   * @param {mocha.Runner} runner
   * @param {mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options)
    /** @type {SuiteResult} */
    const result = { passed: [], failed: [], skipped: [], failedFiles: [], files: {} }
    runner.on('pass', (test) => result.passed.push(test.fullTitle()))
    runner.on('fail', (test, error) => {
      result.failed.push(`${test.fullTitle()} (${inShort(error)})`)
      if (test.file && !result.failedFiles.includes(test.file)) result.failedFiles.push(test.file)
    })
    runner.on('pending', (test) => result.skipped.push(test.fullTitle()))
    let begin = { at: Date.now(), cpu: 0 }
    runner.on('suite', (suite) => {
      if (suite.parent?.root) begin = { at: Date.now(), cpu: cpuSeconds() }
    })
    runner.on('suite end', (suite) => {
      if (!suite.parent?.root || !suite.file) return
      const file = relative(ROOT, suite.file)
      const { seconds, cpu } = result.files[file] ?? { seconds: 0, cpu: 0 }
      const more = { seconds: (Date.now() - begin.at) / 1000, cpu: cpuSeconds() - begin.cpu }
      result.files[file] = { seconds: seconds + more.seconds, cpu: cpu + more.cpu }
    })
    runner.on('end', () => {
      const path = process.env['JACKFIELD_TEST_RESULT']
      if (path) writeFileSync(path, JSON.stringify(result))
    })
  }
}

/** Processor time of this process, and of its programs that have ended. */
function cpuSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND
  } catch {
    return 0
  }
}

/** Logs are truncated: the last lines must be sufficient. @param {Error} error */
function inShort({ message, stack = '' }) {
  const place = /\/([^/]+\.test\.js:\d+)/.exec(stack)?.[1]
  const text = message.replaceAll(/\s+/g, ' ').slice(0, 300)
  return place ? `${text}, ${place}` : text
}
