/** `npm run test:unit`: the server's unit tests directly from TypeScript, without a build. */
import { readFileSync, watch } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Failure, messageOf } from './failure.mjs'
import { globSync } from './glob.mjs'
import { runMain } from './progress.mjs'
import { generateSdkTypes } from './sdk-types.mjs'
import { ROOT } from './settings.mjs'
import { endRuns, endRunsOnSignal, runNode } from './test-runs.mjs'

/** Files that take more than two seconds. */
const SLOW = [
  ...['answer-detector', 'call-socket', 'callback-client', 'cascaded-model', 'credit-watch', 'echo-gate'],
  ...['guarded-client', 'own-switch', 'realtime-model', 'team-queues', 'tracing', 'turn-taking'],
  ...['validation-cost', 'voice-activity', 'voice-agent-tools', 'voice-agent-waits', 'webhook-answers'],
]

/** How to recognise tests that run a MariaDB. */
const WITH_MARIADB = /support\/mariadb\.js/

const DEADLINE_MS = 10 * 60_000
const QUIET_MS = 200

endRunsOnSignal()

await runMain(async () => {
  const { words, all, grep, watches } = readArguments()
  const { files, left } = choose(words, all)
  await generateSdkTypes({ ifMissing: true }) // for editors: this is the first script that a contributor runs
  const work = async () => {
    const code = await run(files, grep)
    if (left > 0)
      process.stdout.write(`${left} slow files were left out: npm run test:unit -- --all runs them too\n`)
    return code
  }
  return watches ? again(work) : work()
})

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean', default: false },
        grep: { type: 'string' },
        watch: { type: 'boolean', default: false },
      },
    })
    return { words: positionals, all: values.all, grep: values.grep, watches: values.watch }
  } catch (error) {
    throw new Failure(messageOf(error).replace(/\. .*/s, ': see --help'))
  }
}

/**
 * @param {string[]} words
 * @param {boolean} all
 * @returns {{files: string[], left: number}} `left` out, because they are slow
 * @throws {Failure} if no name contains a word
 */
function choose(words, all) {
  const known = globSync('server/test/unit/**/*.test.ts')
  const nameOf = (/** @type {string} */ file) => basename(file, '.test.ts')
  const strange = words.filter((word) => !known.some((file) => nameOf(file).includes(word)))
  if (strange.length > 0)
    throw new Failure(`no unit test’s name contains ${strange.join(' or ')}: see server/test/unit`)
  const files =
    words.length > 0 ? known.filter((file) => words.some((word) => nameOf(file).includes(word))) : known
  if (all || words.length > 0) return { files, left: 0 }
  const quick = files.filter(
    (file) => !SLOW.includes(nameOf(file)) && !WITH_MARIADB.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  return { files: quick, left: files.length - quick.length }
}

/**
 * @param {string[]} files
 * @param {string | undefined} grep
 * @returns {Promise<number>} exit code
 */
async function run(files, grep) {
  const { problem, code, seconds } = await runNode(
    [
      ...['--import', join(ROOT, 'installer/typescript.mjs'), 'node_modules/mocha/bin/mocha.js'],
      ...['--exit', '--timeout', '30000', '--reporter', files.length > 5 ? 'dot' : 'spec'],
      ...(process.stdout.isTTY ? ['--color'] : []),
      ...(grep ? ['--grep', grep] : []),
      ...files,
    ],
    { deadlineMs: DEADLINE_MS, shown: true },
  )
  if (problem && !problem.startsWith('exit code')) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${files.length} files in ${seconds.toFixed(1)} s\n`)
  return code
}

/**
 * Runs again after each change under server/. Ends only with Ctrl-C.
 * @param {() => Promise<number>} work
 * @returns {Promise<never>}
 */
async function again(work) {
  let changed = () => {}
  for (const folder of ['server/src', 'server/test']) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    watch(join(ROOT, folder), { recursive: true }, (_, name) => {
      if (!name?.endsWith('.ts')) return
      clearTimeout(timer)
      timer = setTimeout(() => changed(), QUIET_MS) // an editor writes a file in several steps
    })
  }
  for (;;) {
    const next = new Promise((resolve) => (changed = () => resolve(undefined)))
    await work()
    process.stdout.write('waiting for changes under server/ (Ctrl-C ends)\n')
    await next
    endRuns()
  }
}
