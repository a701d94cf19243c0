/** `npm run check`: static checks of the code. Unchanged files that passed are skipped. */
import { join } from 'node:path'
import { Failure } from './failure.mjs'
import { OXLINT, TSC } from './packages.mjs'
import { runMain } from './progress.mjs'
import { generateSdkTypes } from './sdk-types.mjs'
import { ROOT } from './settings.mjs'
import { dropStaleTypes } from './stale-types.mjs'
import { inLanes } from './test-lanes.mjs'
import { endRunsOnSignal, runNode } from './test-runs.mjs'

const DEADLINE_MS = 20 * 60_000
const CACHES = join(ROOT, 'node_modules/.cache')

/** Files are compared by content: a checked-out branch has new dates. */
const BY_CONTENT = ['--cache-strategy', 'content']

/** Longest first. */
const CHECKS = [
  {
    name: 'lint',
    args: [OXLINT, '.'],
    mend: 'npm run lint -- --fix <file> mends some of it; .oxlintrc.json has the rules',
  },
  {
    name: 'types',
    args: [TSC, '--build', '--pretty', 'false'],
    mend: 'mend the first error first: others often follow from it',
  },
  {
    name: 'imports',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      ...['server/src', 'cli/src', 'sdk/src', 'console/src', '--config', '.dependency-cruiser.cjs'],
      ...['--cache', join(CACHES, 'dependency-cruiser'), ...BY_CONTENT],
    ],
    mend: '.dependency-cruiser.cjs says which module may import which, and why',
  },
  {
    name: 'format',
    args: [
      ...['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn'],
      ...['--cache', '--cache-location', join(CACHES, 'prettier/check'), ...BY_CONTENT],
    ],
    mend: 'npm run format -- <file>',
  },
]

endRunsOnSignal()

await runMain(async () => {
  const words = process.argv.slice(2)
  const strange = words.filter((word) => !CHECKS.some(({ name }) => name === word))
  if (strange.length > 0)
    throw new Failure(
      `no check is named ${strange.join(' or ')}: there are ${CHECKS.map(({ name }) => name).join(', ')}`,
    )
  const chosen = words.length > 0 ? CHECKS.filter(({ name }) => words.includes(name)) : CHECKS
  await generateSdkTypes()
  dropStaleTypes()
  /** @type {string[]} */
  const failed = []
  await inLanes(chosen, async ({ name, args, mend }) => {
    const { problem, output, seconds } = await runNode(args, { deadlineMs: DEADLINE_MS })
    const line = `${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s`
    if (!problem) return void process.stdout.write(`✓ ${line}\n`)
    failed.push(name)
    process.stdout.write(`✗ ${line}\n${output.trimEnd()}\n  ${name}: ${problem}. To mend it: ${mend}\n`)
  })
  if (failed.length > 0) process.stdout.write(`failed: ${failed.join(', ')}\n`)
  return failed.length > 0 ? 1 : 0
})
