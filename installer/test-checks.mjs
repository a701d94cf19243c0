/** Checks of `npm test` besides the tests: format, types, lint, import directions, and that every test has a suite. */
import { globSync } from './glob.mjs'
import { messageOf } from './failure.mjs'
import { OXLINT, TSC, buildConsole, writeCliManifest } from './packages.mjs'
import { generateSdkTypes } from './sdk-types.mjs'
import { bundleServer } from './test-server.mjs'
import { heading, none } from './test-results.mjs'
import { runNode } from './test-runs.mjs'
import { filesOf } from './test-plan.mjs'
import { SUITES } from './test-suites.mjs'

/** @typedef {import('./test-results.mjs').Outcome} Outcome */

const MINUTE = 60_000

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {string[]} args of Node
 * @property {number} deadlineMs
 */

/** It also compiles what the tests need. @type {Check} */
const TYPES = {
  name: 'types',
  args: [TSC, '--build', '--pretty', 'false'],
  deadlineMs: 5 * MINUTE,
}

/** They run concurrently with the tests. @type {Check[]} */
export const CHECKS = [
  {
    name: 'lint',
    args: [OXLINT, '.'],
    deadlineMs: 5 * MINUTE,
  },
  {
    name: 'format',
    args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'],
    deadlineMs: 5 * MINUTE,
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

/**
 * The SDK's types, the build, and what follows from it.
 * @param {string} log file for the output of the console's build
 * @returns {Promise<Outcome[]>}
 */
export async function build(log) {
  await generateSdkTypes()
  const compiled = await runCheck(TYPES)
  const files = await Promise.all([
    built('the server is bundled', bundleServer),
    built('the CLI has its manifest', async () => writeCliManifest({ log })),
    pagesAreBuilt(log),
  ])
  return [compiled, ...files, everyTestBelongs()]
}

/** @param {Check} check @returns {Promise<Outcome>} */
export async function runCheck({ name, args, deadlineMs }) {
  const { problem, output, seconds } = await runNode(args, { deadlineMs })
  heading(name, seconds)
  process.stdout.write(`${output}${name}: ${problem || 'fine'}\n`)
  return outcomeOf(name, problem && `${name} (${problem})`, seconds)
}

/**
 * The console's pages, as `npm run up` builds them; they need the SDK, which the type check has compiled.
 * @param {string} log
 * @returns {Promise<Outcome>}
 */
async function pagesAreBuilt(log) {
  return built('the console is built', async () => buildConsole({ log, report: () => undefined }))
}

/** @param {string} name @param {() => Promise<unknown>} work @returns {Promise<Outcome>} */
async function built(name, work) {
  const begin = Date.now()
  const seconds = () => (Date.now() - begin) / 1000
  try {
    await work()
    return outcomeOf(name, '', seconds())
  } catch (error) {
    process.stdout.write(`${messageOf(error)}\n`)
    return outcomeOf(name, name, seconds())
  }
}

/**
 * A test file without a suite would never run.
 * @returns {Outcome}
 */
function everyTestBelongs() {
  const name = 'every test file belongs to a suite'
  const known = new Set(SUITES.flatMap(filesOf))
  const lost = [
    'server/dist/test/**/*.test.js',
    'cli/dist/test/**/*.test.js',
    'sdk/dist/test/**/*.test.js',
    'console/test/dist/**/*.test.js',
    'bench/dist/**/*.test.js',
  ]
    .flatMap(globSync)
    .filter((file) => !known.has(file))
  return outcomeOf(name, lost.length > 0 ? `${name}: ${lost.join(', ')}` : '', 0)
}

/**
 * @param {string} name
 * @param {string} failure '' on success
 * @param {number} seconds
 * @returns {Outcome}
 */
function outcomeOf(name, failure, seconds) {
  const result = failure ? { ...none(), failed: [failure] } : { ...none(), passed: [name] }
  return { name, result, seconds, reason: '' }
}
