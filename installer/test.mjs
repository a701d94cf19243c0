/**
 * `npm test`: installs what the tests need and runs everything. Its last lines summarise what ran and what did not,
 * and the very last one is `N passed, N failed, N skipped`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, messageOf } from './failure.mjs'
import { APPLIANCE_PACKAGES, TEST_PACKAGES, installNpmPackages, installPackages } from './packages.mjs'
import { findFreeswitch } from './parts/freeswitch.mjs'
import { runMain, step } from './progress.mjs'
import { ROOT } from './settings.mjs'
import { CHECKS, build, runCheck } from './test-checks.mjs'
import { keepDurations } from './test-durations.mjs'
import { inLanes } from './test-lanes.mjs'
import { NODE_ENVIRONMENT, installTestNode, nodeOf } from './test-node.mjs'
import { fastParts, filesOf, nameOf, namesOf, plan } from './test-plan.mjs'
import { afterAnotherRun, heading, none, summarise } from './test-results.mjs'
import { endRunsOnSignal, runNode } from './test-runs.mjs'
import { SERVER_ENVIRONMENT } from './test-server.mjs'
import { SUITES } from './test-suites.mjs'

/**
 * @typedef {import('./test-results.mjs').Outcome} Outcome
 * @typedef {import('./test-results.mjs').SuiteResult} SuiteResult
 * @typedef {import('./test-suites.mjs').Suite} Suite
 * @typedef {import('./test-plan.mjs').Batch} Batch
 */

/** More failing files than these, of a suite, are no flakes: a number of files, or a part of a large suite's. */
const FILES_RUN_AGAIN = 3
const PART_RUN_AGAIN = 0.05

/** @type {('passed' | 'failed' | 'skipped' | 'failedFiles')[]} */
const RESULT_KEYS = ['passed', 'failed', 'skipped', 'failedFiles']

/** How the titles of scenarios name their switch. */
const ON_SANDBOX = /\bon the sandbox\b/

const TEST_LOG = join(ROOT, 'var/log/test-install.log')

endRunsOnSignal()

await runMain(async () => {
  const begin = Date.now()
  const { values, positionals } = readArguments()
  const suites = chosenSuites(positionals)
  const results = mkdtempSync(join(tmpdir(), 'jackfield-test-'))
  /** @type {Outcome[]} */
  const outcomes = []
  try {
    await prepare()
    outcomes.push(...(await build(TEST_LOG)))
    outcomes.push(...(await runAll(values.fast ? fastParts(suites) : suites, results)))
  } finally {
    rmSync(results, { recursive: true, force: true })
  }
  if (values['keep-durations']) {
    const measured = Object.assign({}, ...outcomes.map(({ result }) => result.files))
    keepDurations(measured, SUITES.flatMap(filesOf))
  }
  return summarise(outcomes, (Date.now() - begin) / 1000)
})

/** @throws {Failure} for an unknown option */
function readArguments() {
  try {
    return parseArgs({
      options: { fast: { type: 'boolean' }, 'keep-durations': { type: 'boolean' } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new Failure(messageOf(error).replace(/\. .*/s, ': see --help'))
  }
}

/**
 * `npm test -- unit api` runs only suites whose name starts with one of the words.
 * @param {string[]} words
 */
function chosenSuites(words) {
  return words.length === 0
    ? SUITES
    : SUITES.filter(({ name }) => words.some((word) => name.startsWith(word)))
}

async function prepare() {
  mkdirSync(dirname(TEST_LOG), { recursive: true })
  const log = TEST_LOG
  const packages = [...APPLIANCE_PACKAGES, ...TEST_PACKAGES]
  // They mostly wait for the network, and each for its own registry.
  await step('packages', (report) =>
    Promise.all([installPackages(packages, { log, report }), installNpmPackages({ log, report })]),
  )
  await step('Node for the tests', (report) => installTestNode({ log, report }))
}

/**
 * Runs checks and suites in lanes, then what wants the machine for itself. Servers, switches and audio share the
 * processors with their tests: where few files of a suite fail they run once more, with little beside them. What passes then is
 * reported as flaky, as somebody must look at it; what fails again has failed.
 * @param {readonly Suite[]} suites
 * @param {string} results folder for the counts
 * @returns {Promise<Outcome[]>} in the order of the checks and suites
 */
async function runAll(suites, results) {
  const runs = new Map(suites.map((suite) => [suite, begun(suite)]))
  /** @type {Map<unknown, Outcome>} */
  const checked = new Map()
  const batches = plan(suites)
  /** @param {Batch} batch @param {Record<string, string>} env */
  const runBatch = async ({ suite, files }, env) => {
    const run = runs.get(suite)
    if (run) add(run, await runFiles(suite, files, results, env))
  }
  const pieces = [
    ...CHECKS.map((check) => ({ cores: 1, run: async () => void checked.set(check, await runCheck(check)) })),
    ...batches
      .filter(({ alone }) => !alone)
      .map((batch) => ({
        cores: batch.cores,
        run: (/** @type {Record<string, string>} */ env) => runBatch(batch, env),
      })),
  ]
  await inLanes(pieces, async ({ run }, env) => run(env))
  for (const batch of batches) if (batch.alone) await runBatch(batch, {})
  await runAgain(runs, results)
  for (const [suite, { result }] of runs)
    if (suite.bySwitch && findFreeswitch() === null) result.skipped.push(...withoutFreeswitch(result))
  return [...CHECKS.flatMap((check) => checked.get(check) ?? []), ...runs.values()]
}

/** @param {Suite} suite @returns {Outcome} */
function begun(suite) {
  const reason = filesOf(suite).length === 0 ? `no test files match ${suite.glob}` : ''
  return { name: suite.name, result: none(), seconds: 0, reason }
}

/**
 * @param {Outcome} run
 * @param {{result: SuiteResult, seconds: number}} more
 */
function add(run, { result, seconds }) {
  run.seconds += seconds
  for (const key of RESULT_KEYS) run.result[key].push(...result[key])
  Object.assign(run.result.files, result.files)
}

/**
 * One file on each processor.
 * @param {ReadonlyMap<Suite, Outcome>} runs
 * @param {string} results folder for the counts
 */
async function runAgain(runs, results) {
  const tried = [...runs].filter(([suite, run]) => isTriedAgain(suite, run))
  const again = new Map(tried.map(([suite]) => [suite, begun(suite)]))
  const pieces = tried.flatMap(([suite, { result }]) => result.failedFiles.map((file) => ({ suite, file })))
  await inLanes(
    pieces,
    async ({ suite, file }, env) => {
      const run = again.get(suite)
      const what = `once more, ${nameOf(file)}`
      if (run) add(run, await runFiles(suite, [file], results, env, what))
    },
    { lanes: availableParallelism() },
  )
  for (const [suite, { result, seconds }] of again) {
    const run = runs.get(suite)
    if (!run) continue
    run.seconds += seconds
    const { failed, flaky } = afterAnotherRun(run.result.failed, result)
    run.flaky = flaky
    run.result.failed = failed
    run.result.passed.push(...result.passed.filter((title) => !run.result.passed.includes(title)))
  }
}

/** @param {Suite} suite @param {Outcome} run */
function isTriedAgain(suite, { result: { failedFiles } }) {
  const most = Math.max(FILES_RUN_AGAIN, Math.floor(filesOf(suite).length * PART_RUN_AGAIN))
  return failedFiles.length > 0 && failedFiles.length <= most
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
        String(suite.testMs ?? 90_000),
        '--exit',
      ],
      ...(suite.hooks ? ['--require', join(ROOT, suite.hooks)] : []),
      ...files,
    ],
    {
      deadlineMs: suite.deadlineMs,
      env: { ...env, ...NODE_ENVIRONMENT, ...SERVER_ENVIRONMENT, JACKFIELD_TEST_RESULT: counts },
      node: nodeOf(suite),
    },
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

/** @param {string} file @returns {SuiteResult | null} */
function readResult(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
