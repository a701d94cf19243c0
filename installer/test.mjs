/**
 * `npm test`: installs what the tests need and runs everything. Its last lines say what ran and what did not,
 * and the very last is `N passed, N failed, N skipped`.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { globSync } from './glob.mjs'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from './failure.mjs'
import { APPLIANCE_PACKAGES, TEST_PACKAGES, installNpmPackages, installPackages } from './packages.mjs'
import { findFreeswitch } from './parts/freeswitch.mjs'
import { endRunning, processesWith, signal, signalGroup } from './processes.mjs'
import { runMain, step } from './progress.mjs'
import { ROOT } from './settings.mjs'
import { SUITES } from './test-suites.mjs'

/**
 * @typedef {import('./mocha-reporter.mjs').SuiteResult} SuiteResult
 * @typedef {import('./test-suites.mjs').Suite} Suite
 * @typedef {{name: string, result: SuiteResult, seconds: number, reason: string, flaky?: string[]}} Outcome
 *   `reason` tells why all of it was skipped; '' otherwise. `flaky` has what failed, and passed when its file ran again
 */

const MINUTE = 60_000

/** More of a suite's files than these fail for a reason. */
const FILES_RUN_AGAIN = 2

/** How the titles of scenarios name their switch. */
const ON_SANDBOX = /\bon the sandbox\b/

/** Environment variable that marks every process of one suite. */
const RUN = 'JACKFIELD_TEST_RUN'
/** The mark of the suite that runs now. */
let run = ''

/** What is checked before any test runs; the tests themselves need the last of them, the build. */
const CHECKS = [
  {
    name: 'format',
    args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'],
    deadlineMs: 3 * MINUTE,
  },
  {
    name: 'types',
    args: ['node_modules/typescript/bin/tsc', '--build', '--pretty', 'false'],
    deadlineMs: 5 * MINUTE,
  },
  {
    name: 'lint',
    args: ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0'],
    deadlineMs: 5 * MINUTE,
  },
  {
    name: 'import directions',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      ...['server/src', 'cli/src', 'sdk/src', '--config', '.dependency-cruiser.cjs'],
    ],
    deadlineMs: 3 * MINUTE,
  },
]

/** @type {Set<number>} */
const running = new Set()
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(name, () => {
    endRunning()
    for (const pid of running) signalGroup(pid, 'SIGKILL')
    for (const { pid } of processesWith(RUN, run)) signal(pid, 'SIGKILL')
    process.exit(130)
  })
}

await runMain(async () => {
  const results = mkdtempSync(join(tmpdir(), 'jackfield-test-'))
  /** @type {Outcome[]} */
  const outcomes = []
  try {
    await prepare()
    for (const check of CHECKS) outcomes.push(await runCheck(check))
    outcomes.push(everyTestBelongs())
    for (const suite of chosenSuites()) outcomes.push(await runSuite(suite, results))
  } finally {
    rmSync(results, { recursive: true, force: true })
  }
  return summarise(outcomes)
})

/** `npm test -- unit api` runs only suites whose name begins with one of the words. */
function chosenSuites() {
  const words = process.argv.slice(2)
  return words.length === 0
    ? SUITES
    : SUITES.filter((suite) => words.some((word) => suite.name.startsWith(word)))
}

async function prepare() {
  const logs = join(ROOT, 'var/log')
  mkdirSync(logs, { recursive: true })
  const log = join(logs, 'test-install.log')
  const packages = [...APPLIANCE_PACKAGES, ...TEST_PACKAGES]
  await step('Debian packages', (report) => installPackages(packages, { log, report }))
  await step('npm packages', (report) => installNpmPackages({ log, report }))
}

/**
 * @param {{name: string, args: string[], deadlineMs: number}} check
 * @returns {Promise<Outcome>}
 */
async function runCheck({ name, args, deadlineMs }) {
  const begin = Date.now()
  heading(name)
  const problem = await runNode(args, {}, deadlineMs)
  const seconds = (Date.now() - begin) / 1000
  process.stdout.write(problem ? `${name}: ${problem}\n` : `${name}: fine (${seconds.toFixed(1)} s)\n`)
  const result = problem ? { ...none(), failed: [`${name} (${problem})`] } : { ...none(), passed: [name] }
  return { name, result, seconds, reason: '' }
}

/**
 * A test file that no suite runs would be green for ever.
 * @returns {Outcome}
 */
function everyTestBelongs() {
  const name = 'every test file belongs to a suite'
  const known = new Set(SUITES.flatMap((suite) => globSync(suite.glob)))
  const lost = [
    'server/dist/test/**/*.test.js',
    'cli/dist/test/**/*.test.js',
    'sdk/dist/test/**/*.test.js',
    'bench/dist/**/*.test.js',
  ]
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !known.has(file))
  if (lost.length === 0) return { name, result: { ...none(), passed: [name] }, seconds: 0, reason: '' }
  process.stdout.write(`these belong to no suite: ${lost.join(', ')}\n`)
  return {
    name,
    result: { ...none(), failed: [`${name}: ${lost.join(', ')}`] },
    seconds: 0,
    reason: '',
  }
}

/**
 * Servers, switches and audio share two cores with their tests: where few files fail they run once more. What passes
 * then is told as flaky, as somebody must look at it; what fails again has failed.
 * @param {Suite} suite
 * @param {string} results folder for the counts
 * @returns {Promise<Outcome>}
 */
async function runSuite(suite, results) {
  const begin = Date.now()
  const files = globSync(suite.glob)
  if (files.length === 0) {
    return { name: suite.name, result: none(), seconds: 0, reason: `no test files match ${suite.glob}` }
  }
  heading(suite.name)
  const result = await runFiles(suite, files, join(results, `${suite.name}.json`))
  /** @type {string[]} */
  const flaky = []
  const { failedFiles } = result
  if (failedFiles.length > 0 && failedFiles.length <= FILES_RUN_AGAIN) {
    heading(`${suite.name}: once more, what failed`)
    const again = await runFiles(suite, failedFiles, join(results, `${suite.name}-again.json`))
    if (again.failed.length === 0) {
      flaky.push(...result.failed.splice(0))
      result.passed.push(...again.passed.filter((title) => !result.passed.includes(title)))
    }
  }
  if (suite.bySwitch && findFreeswitch() === null) result.skipped.push(...withoutFreeswitch(result))
  return { name: suite.name, result, seconds: (Date.now() - begin) / 1000, reason: '', flaky }
}

/**
 * @param {Suite} suite
 * @param {string[]} files
 * @param {string} counts where mocha leaves them
 * @returns {Promise<SuiteResult>}
 */
async function runFiles(suite, files, counts) {
  run = randomUUID()
  const problem = await runNode(
    [
      'node_modules/mocha/bin/mocha.js',
      ...['--reporter', join(ROOT, 'installer/mocha-reporter.mjs'), '--timeout', '30000', '--exit'],
      ...(suite.hooks ? ['--require', join(ROOT, suite.hooks)] : []),
      ...files,
    ],
    { JACKFIELD_TEST_RESULT: counts, [RUN]: run },
    suite.deadlineMs,
  )
  const left = await sweep()
  const result = readResult(counts) ?? none()
  const counted = result.passed.length + result.failed.length + result.skipped.length
  if (problem && result.failed.length === 0) result.failed.push(`${suite.name}: ${problem}`)
  else if (counted === 0) result.failed.push(`${suite.name}: no test ran`)
  if (left.length > 0) result.failed.push(`${suite.name} left processes running: ${left.join('; ')}`)
  return result
}

/**
 * The scenarios that a real switch would have run.
 * @param {SuiteResult} result
 * @returns {string[]}
 */
function withoutFreeswitch({ passed, failed, skipped }) {
  return [...passed, ...failed, ...skipped]
    .filter((title) => ON_SANDBOX.test(title))
    .map((title) => `${title.replace(ON_SANDBOX, 'on the freeswitch')} (no freeswitch program is found)`)
}

/**
 * Ends what a suite left running; there must be nothing.
 * @returns {Promise<string[]>} the command lines of what was left
 */
async function sweep() {
  for (const end = Date.now() + 3000; Date.now() < end; await sleep(200)) {
    if (processesWith(RUN, run).length === 0) return []
  }
  const left = processesWith(RUN, run)
  for (const { pid } of left) signal(pid, 'SIGKILL')
  return left.map(({ pid, command }) => `${command.slice(0, 100)} (pid ${pid})`)
}

/** @returns {SuiteResult} */
function none() {
  return { passed: [], failed: [], skipped: [], failedFiles: [] }
}

/** @param {string} file @returns {SuiteResult | null} */
function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/**
 * Runs a Node program, its output going straight through.
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {number} deadlineMs
 * @returns {Promise<string>} '' when it ended well, else how it ended
 */
function runNode(args, env, deadlineMs) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true, // a group of its own, so that a deadline ends what it started too
    })
    const pid = child.pid
    if (pid) running.add(pid)
    let late = false
    const timer = setTimeout(() => {
      late = true
      if (pid) signal(pid, 'SIGINT') // mocha then runs its last hooks
      killer = setTimeout(() => pid && signalGroup(pid, 'SIGKILL'), 15_000)
    }, deadlineMs)
    /** @type {NodeJS.Timeout | undefined} */
    let killer
    /** @param {string} problem */
    const done = (problem) => {
      clearTimeout(timer)
      clearTimeout(killer)
      if (pid) running.delete(pid)
      resolve(problem)
    }
    child.on('error', (error) => done(messageOf(error)))
    child.on('exit', (code, signal) => {
      if (late) done(`passed its deadline of ${deadlineMs / MINUTE} minutes`)
      else done(code === 0 ? '' : signal ? `ended by ${signal}` : `exit code ${code}`)
    })
  })
}

/** @param {string} text */
function heading(text) {
  process.stdout.write(`\n──── ${text} ${'─'.repeat(Math.max(0, 70 - text.length))}\n`)
}

/**
 * Prints the last lines.
 * @param {Outcome[]} outcomes
 * @returns {number} exit code
 */
function summarise(outcomes) {
  heading('summary')
  const print = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)
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
  const sum = (/** @type {keyof SuiteResult} */ key) =>
    outcomes.reduce((total, { result }) => total + result[key].length, 0)
  print(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return sum('failed') > 0 ? 1 : 0
}
