/**
 * Mocha's `spec` reporter that also leaves its counts, and what each file took, in the file named by
 * JACKFIELD_TEST_RESULT, for `npm test`.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
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
      const more = { seconds: (Date.now() - begin.at) / 1000, cpu: Math.max(0, cpuSeconds() - begin.cpu) }
      result.files[file] = { seconds: seconds + more.seconds, cpu: cpu + more.cpu }
    })
    runner.on('end', () => {
      const path = process.env['JACKFIELD_TEST_RESULT']
      if (path) writeFileSync(path, JSON.stringify(result))
    })
  }
}

/** Processor time of this process and of all programs that it and they have started. */
function cpuSeconds() {
  /** @type {Map<string, string[]>} */
  const children = new Map()
  /** @type {Map<string, number>} */
  const ticks = new Map()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid)
    if (!fields) continue
    const own = fields.slice(11, 15) // with those of the children that it has waited for
    ticks.set(
      pid,
      own.reduce((sum, of) => sum + Number(of), 0),
    )
    const parent = fields[1] ?? ''
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  let sum = 0
  const left = [String(process.pid)]
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    sum += ticks.get(pid) ?? 0
    left.push(...(children.get(pid) ?? []))
  }
  return sum / TICKS_A_SECOND
}

/** What stands behind the program's name. @param {string} pid @returns {string[] | undefined} nothing when it has ended */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Logs are truncated: the last lines must be sufficient. @param {Error} error */
function inShort({ message, stack = '' }) {
  const place = /\/([^/]+\.test\.js:\d+)/.exec(stack)?.[1]
  const text = message.replaceAll(/\s+/g, ' ').slice(0, 300)
  return place ? `${text}, ${place}` : text
}
