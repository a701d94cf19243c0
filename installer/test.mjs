/**
 * `npm test`: installs what the tests need and runs everything. Its last lines say what ran and what did not,
 * and the very last is `N passed, N failed, N skipped`.
 */
import { globSync } from './glob.mjs'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { messageOf } from './failure.mjs'
import {
  APPLIANCE_PACKAGES,
  TEST_PACKAGES,
  buildConsole,
  installNpmPackages,
  installPackages,
} from './packages.mjs'
import { findFreeswitch } from './parts/freeswitch.mjs'
import { endRunning } from './processes.mjs'
import { runMain, step } from './progress.mjs'
import { ROOT } from './settings.mjs'
import { inLanes } from './test-lanes.mjs'
import { endRuns, runNode } from './test-runs.mjs'
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

/** @type {(keyof SuiteResult)[]} */
const RESULT_KEYS = ['passed', 'failed', 'skipped', 'failedFiles']

/** How the titles of scenarios name their switch. */
const ON_SANDBOX = /\bon the sandbox\b/

const TEST_LOG = join(ROOT, 'var/log/test-install.log')

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
    deadlineMs: 8 * MINUTE,
  },
  {
    name: 'import directions',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      ...['server/src', 'cli/src', 'sdk/src', 'console/src', '--config', '.dependency-cruiser.cjs'],
    ],
    deadlineMs: 3 * MINUTE,
  },
]

for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(name, () => {
    endRunning()
    endRuns()
    process.exit(130)
  })
}

await runMain(async () => {
  const results = mkdtempSync(join(tmpdir(), 'jackfield-test-'))
  /** @type {Outcome[]} */
  const outcomes = []
  try {
    await prepare()
    outcomes.push(...(await runChecks()), await pagesAreBuilt(), everyTestBelongs())
    outcomes.push(...(await runSuites(chosenSuites(), results)))
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
  mkdirSync(dirname(TEST_LOG), { recursive: true })
  const log = TEST_LOG
  const packages = [...APPLIANCE_PACKAGES, ...TEST_PACKAGES]
  await step('Debian packages', (report) => installPackages(packages, { log, report }))
  await step('npm packages', (report) => installNpmPackages({ log, report }))
}

/** @returns {Promise<Outcome[]>} in the order of the checks */
async function runChecks() {
  /** @type {Map<unknown, Outcome>} */
  const outcomes = new Map()
  await inLanes(CHECKS, async (check) => {
    const { name, args, deadlineMs } = check
    const { problem, output, seconds } = await runNode(args, { deadlineMs })
    heading(name, seconds)
    process.stdout.write(`${output}${name}: ${problem || 'fine'}\n`)
    const result = problem ? { ...none(), failed: [`${name} (${problem})`] } : { ...none(), passed: [name] }
    outcomes.set(check, { name, result, seconds, reason: '' })
  })
  return CHECKS.flatMap((check) => outcomes.get(check) ?? [])
}

/**
 * The console's pages, as `npm run up` builds them; they need the SDK, which the check of types has compiled.
 * @returns {Promise<Outcome>}
 */
async function pagesAreBuilt() {
  const name = 'the console is built'
  const begin = Date.now()
  try {
    await buildConsole({ log: TEST_LOG, report: () => undefined })
    return { name, result: { ...none(), passed: [name] }, seconds: (Date.now() - begin) / 1000, reason: '' }
  } catch (error) {
    process.stdout.write(`${messageOf(error)}\n`)
    return { name, result: { ...none(), failed: [name] }, seconds: (Date.now() - begin) / 1000, reason: '' }
  }
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
    'console/test/dist/**/*.test.js',
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
 * @typedef {Outcome & {suite: Suite}} SuiteRun
 * @typedef {{run: SuiteRun, files: string[], alone: boolean}} Batch files that run in one process
 */

/**
 * Runs suites in lanes, then what wants the machine for itself. Servers, switches and audio share two cores with their
 * tests: where few files of a suite fail they run once more, by themselves. What passes then is told as flaky, as
 * somebody must look at it; what fails again has failed.
 * @param {Suite[]} suites
 * @param {string} results folder for the counts
 * @returns {Promise<Outcome[]>}
 */
async function runSuites(suites, results) {
  const runs = suites.map(begun)
  await inLanes(mixed(runs), async (batch, env) => runBatch(batch, results, env))
  for (const batch of runs.flatMap(batchesOf)) if (batch.alone) await runBatch(batch, results, {})
  for (const run of runs) await runAgain(run, results)
  return runs
}

/**
 * What runs in lanes, of all suites in turns: those that work, as browsers do, beside those that wait, as calls do.
 * @param {SuiteRun[]} runs
 * @returns {Batch[]}
 */
function mixed(runs) {
  return runs
    .flatMap((run) => {
      const beside = batchesOf(run).filter(({ alone }) => !alone)
      return beside.map((batch, index) => ({ batch, place: (index + 0.5) / beside.length }))
    })
    .sort((one, other) => one.place - other.place)
    .map(({ batch }) => batch)
}

/** @param {Suite} suite @returns {SuiteRun} */
function begun(suite) {
  const reason = globSync(suite.glob).length === 0 ? `no test files match ${suite.glob}` : ''
  return { suite, name: suite.name, result: none(), seconds: 0, reason }
}

/** @param {SuiteRun} run @returns {Batch[]} */
function batchesOf(run) {
  const { glob, alone = [], filesAtOnce = Infinity } = run.suite
  const files = globSync(glob)
  const lonely = files.filter((file) => alone.includes(nameOf(file)))
  const others = files.filter((file) => !lonely.includes(file))
  return [
    ...pieces(others, filesAtOnce).map((files) => ({ run, files, alone: false })),
    ...pieces(lonely, filesAtOnce).map((files) => ({ run, files, alone: true })),
  ]
}

/**
 * @param {Batch} batch
 * @param {string} results
 * @param {Record<string, string>} env
 */
async function runBatch({ run, files }, results, env) {
  const { result, seconds } = await runFiles(run.suite, files, results, env)
  run.seconds += seconds
  for (const key of RESULT_KEYS) run.result[key].push(...result[key])
}

/** @param {string[]} all @param {number} most @returns {string[][]} */
function pieces(all, most) {
  return all.length === 0 ? [] : [all.slice(0, most), ...pieces(all.slice(most), most)]
}

/**
 * @param {SuiteRun} run
 * @param {string} results
 */
async function runAgain(run, results) {
  const { suite, result } = run
  const files = result.failedFiles
  if (files.length > 0 && files.length <= FILES_RUN_AGAIN) {
    const again = await runFiles(suite, files, results, {}, 'once more, what failed')
    run.seconds += again.seconds
    if (again.result.failed.length === 0) {
      run.flaky = result.failed.splice(0)
      result.passed.push(...again.result.passed.filter((title) => !result.passed.includes(title)))
    }
  }
  if (suite.bySwitch && findFreeswitch() === null) result.skipped.push(...withoutFreeswitch(result))
}

/**
 * @param {Suite} suite
 * @param {string[]} files
 * @param {string} results folder for the counts
 * @param {Record<string, string>} [env]
 * @param {string} [what] heading [the files' names]
 * @returns {Promise<{result: SuiteResult, seconds: number}>}
 */
async function runFiles(suite, files, results, env = {}, what = namesOf(files)) {
  const counts = join(mkdtempSync(join(results, suite.name)), 'counts.json')
  const { problem, output, left, seconds } = await runNode(
    [
      'node_modules/mocha/bin/mocha.js',
      ...[
        '--reporter',
        join(ROOT, 'installer/mocha-reporter.mjs'),
        '--timeout',
        String(suite.testMs ?? 30_000),
        '--exit',
      ],
      ...(suite.hooks ? ['--require', join(ROOT, suite.hooks)] : []),
      ...files,
    ],
    { deadlineMs: suite.deadlineMs, env: { ...env, JACKFIELD_TEST_RESULT: counts } },
  )
  heading(`${suite.name}: ${what}`, seconds)
  process.stdout.write(output)
  const result = readResult(counts) ?? none()
  const counted = result.passed.length + result.failed.length + result.skipped.length
  const title = `${suite.name}: ${namesOf(files)}`
  if (problem && result.failed.length === 0) result.failed.push(`${title}: ${problem}`)
  else if (counted === 0) result.failed.push(`${title}: no test ran`)
  if (left.length > 0) result.failed.push(`${title} left processes running: ${left.join('; ')}`)
  return { result, seconds }
}

/** @param {string} file */
function nameOf(file) {
  return basename(file).replace(/\.test\.m?js$/, '')
}

/** @param {string[]} files */
function namesOf(files) {
  const names = files.map(nameOf)
  return names.length > 6 ? `${names.length} files` : names.join(', ')
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

/** @param {string} text @param {number} [seconds] */
function heading(text, seconds) {
  const line = seconds === undefined ? text : `${text} (${seconds.toFixed(1)} s)`
  process.stdout.write(`\n──── ${line} ${'─'.repeat(Math.max(0, 70 - line.length))}\n`)
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
