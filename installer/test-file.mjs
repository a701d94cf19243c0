/** `npm run test:file <path>`: runs test files as their suites do, and compiles changes first. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, messageOf } from './failure.mjs'
import { globSync } from './glob.mjs'
import { APPLIANCE_PACKAGES, TEST_PACKAGES, buildConsole, missingPackages } from './packages.mjs'
import { runMain } from './progress.mjs'
import { generateSdkTypes } from './sdk-types.mjs'
import { ROOT } from './settings.mjs'
import { endRunsOnSignal, runNode } from './test-runs.mjs'
import { SUITES } from './test-suites.mjs'
import { compiledPath, transpile } from './transpile.mjs'

/** @typedef {import('./test-suites.mjs').Suite} Suite */

const TEST_ENDING = /\.test\.m?ts$|^installer\/test\/.*\.test\.mjs$/

/** Suites whose tests open the console's pages. */
const WITH_PAGES = ['console', 'installer']

endRunsOnSignal()

await runMain(async () => {
  const { paths, grep } = readArguments()
  const files = paths.map(named)
  const began = Date.now()
  await generateSdkTypes({ ifMissing: !files.some(({ suite }) => suite.name === 'sdk') })
  const compiled = await transpile()
  /** @type {Map<Suite, string[]>} */
  const bySuite = new Map()
  for (const { file, suite } of files) bySuite.set(suite, [...(bySuite.get(suite) ?? []), file])
  if ([...bySuite.keys()].some(({ name }) => WITH_PAGES.includes(name))) await buildPages()
  if (compiled > 0) say(`compiled ${compiled} files in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  const missing = missingPackages([...APPLIANCE_PACKAGES, ...TEST_PACKAGES])
  if (missing.length > 0)
    say(`these Debian packages are missing, and tests that use them fail: ${missing.join(' ')}`)
  let code = 0
  for (const [suite, its] of bySuite) code = (await runFiles(suite, its, grep)) || code
  return code
})

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { grep: { type: 'string' } },
    })
    if (positionals.length === 0)
      throw new Failure('name a test file: npm run test:file server/test/api/agents.test.ts')
    return { paths: positionals, grep: values.grep }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(messageOf(error).replace(/\. .*/s, ': see --help'))
  }
}

/**
 * @param {string} given path of a source, from where npm was called or from the checkout's root
 * @returns {{file: string, suite: Suite}} what mocha runs, from the root
 * @throws {Failure} if it is not a test
 */
function named(given) {
  const near = resolve(process.env['INIT_CWD'] ?? ROOT, given)
  const path = relative(ROOT, existsSync(near) ? near : resolve(ROOT, given))
  if (/(^|\/)dist\//.test(path))
    throw new Failure(`${path} is compiled: name its source, which ends with .test.ts`)
  if (!existsSync(join(ROOT, path))) throw new Failure(`${path} does not exist${similar(path)}`)
  if (statSync(join(ROOT, path)).isDirectory())
    throw new Failure(`${path} is a folder: name test files in it`)
  const file = path.endsWith('.mjs') ? path : compiledPath(path)
  if (!TEST_ENDING.test(path) || file === null)
    throw new Failure(`${path} is not a test: tests end with .test.ts, and with .test.mjs in installer/test`)
  const suite = SUITES.find(({ glob }) => {
    const [folder = '', ending = ''] = glob.split('/**/*')
    return file.startsWith(`${folder}/`) && file.endsWith(ending)
  })
  if (!suite) throw new Failure(`${path} belongs to no suite of installer/test-suites.mjs`)
  return { file, suite }
}

/** @param {string} path that does not exist @returns {string} tests with such a name */
function similar(path) {
  const word = basename(path).replace(/\..*/, '').slice(0, 12)
  const folders = ['server/test', 'cli/test', 'sdk/test', 'console/test/src']
  const tests = folders
    .flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
    .concat(globSync('installer/test/**/*.test.mjs'))
    .filter((test) => word !== '' && basename(test).includes(word))
  return tests.length > 0 ? `; there are ${tests.slice(0, 5).join(', ')}` : ''
}

async function buildPages() {
  const log = join(ROOT, 'var/log/test-install.log')
  mkdirSync(dirname(log), { recursive: true })
  await buildConsole({ log, report: say })
}

/**
 * @param {Suite} suite
 * @param {string[]} files
 * @param {string | undefined} grep
 * @returns {Promise<number>} exit code
 */
async function runFiles({ testMs = 90_000, deadlineMs, hooks }, files, grep) {
  const { problem, code, left } = await runNode(
    [
      'node_modules/mocha/bin/mocha.js',
      ...['--exit', '--timeout', String(testMs)],
      ...(process.stdout.isTTY ? ['--color'] : []),
      ...(hooks ? ['--require', join(ROOT, hooks)] : []),
      ...(grep ? ['--grep', grep] : []),
      ...files,
    ],
    { deadlineMs: deadlineMs * files.length, shown: true },
  )
  if (problem && !problem.startsWith('exit code')) say(problem)
  for (const process of left) say(`left running, and ended now: ${process}`)
  return code || (left.length > 0 ? 1 : 0)
}
