/**
 * Mocha's `spec` reporter that also leaves its counts in the file named by JACKFIELD_TEST_RESULT, for the
 * summary of `npm test`.
 */
import { writeFileSync } from 'node:fs'
import mocha from 'mocha'

/**
 * @typedef {object} SuiteResult
 * @property {string[]} passed full titles
 * @property {string[]} failed full titles, each with what went wrong
 * @property {string[]} skipped
 * @property {string[]} failedFiles where those stand that failed
 */

export default class CountingReporter extends mocha.reporters.Spec {
  /**
   * @param {mocha.Runner} runner
   * @param {mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options)
    /** @type {SuiteResult} */
    const result = { passed: [], failed: [], skipped: [], failedFiles: [] }
    runner.on('pass', (test) => result.passed.push(test.fullTitle()))
    runner.on('fail', (test, error) => {
      result.failed.push(`${test.fullTitle()} (${inShort(error)})`)
      if (test.file && !result.failedFiles.includes(test.file)) result.failedFiles.push(test.file)
    })
    runner.on('pending', (test) => result.skipped.push(test.fullTitle()))
    runner.on('end', () => {
      const path = process.env['JACKFIELD_TEST_RESULT']
      if (path) writeFileSync(path, JSON.stringify(result))
    })
  }
}

/** Where a log is cut, its last lines are to tell enough. @param {Error} error */
function inShort({ message, stack = '' }) {
  const place = /\/([^/]+\.test\.js:\d+)/.exec(stack)?.[1]
  const text = message.replaceAll(/\s+/g, ' ').slice(0, 300)
  return place ? `${text}, ${place}` : text
}
