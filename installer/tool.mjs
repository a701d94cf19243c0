/** `npm run build`, `format`, `lint` …: runs a tool with our options, or says what the script does. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { helpOf } from './help.mjs'
import { CLI_MANIFEST, OXLINT, TSC } from './packages.mjs'
import { messageOf } from './failure.mjs'
import { prepareRuntime } from './runtime/choose.mjs'
import { generateSdkTypes } from './sdk-types.mjs'
import { ROOT, readSettings } from './settings.mjs'
import { dropStaleTypes } from './stale-types.mjs'

/**
 * @typedef {object} Tool
 * @property {string} program
 * @property {string[]} options that always hold
 * @property {string[]} [fallback] arguments where a person gives none
 * @property {string[]} [builds] folders that tsc compiles first; none: all
 * @property {boolean} [onRuntime] whether it runs on the server's Node, as the servers that it starts do
 * @property {boolean} [types] whether it reads the SDK's types
 */

const PRETTIER = 'node_modules/prettier/bin/prettier.cjs'

/** @type {Record<string, Tool>} */
const TOOLS = {
  build: { program: TSC, options: ['--build'], types: true },
  format: { program: PRETTIER, options: ['--write'], fallback: ['.'] },
  'format:check': { program: PRETTIER, options: ['--check'], fallback: ['.'] },
  lint: { program: OXLINT, options: [], fallback: ['.'], types: true },
  imports: {
    program: 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    options: ['--config', '.dependency-cruiser.cjs'],
    fallback: ['server/src', 'cli/src', 'sdk/src', 'console/src'],
    types: true,
  },
  reference: { program: 'installer/reference.mjs', options: [], builds: [] },
  bench: { program: 'bench/dist/main.js', options: [], builds: ['bench'], onRuntime: true },
  faults: { program: 'bench/dist/faults/main.js', options: [], builds: ['bench'], onRuntime: true },
}

const [name = '', ...args] = process.argv.slice(2)
const tool = TOOLS[name]
if (args.includes('--help') || args.includes('-h')) process.stdout.write(helpOf(name))
else if (!tool) {
  process.stderr.write(`no tool is named "${name}": use npm run help\n`)
  process.exitCode = 1
} else {
  if (tool.types || tool.builds) await generateTypes()
  if (name === 'build') dropStaleTypes()
  const built = process.exitCode || (tool.builds ? await run(TSC, ['--build', ...tool.builds]) : 0)
  const paths = args.some((argument) => !argument.startsWith('-')) ? [] : (tool.fallback ?? [])
  const node = tool.onRuntime && !built ? await runtime() : process.execPath
  process.exitCode = built || (await run(tool.program, [...tool.options, ...args, ...paths], node))
  if (name === 'build' && !process.exitCode) process.exitCode = await run(CLI_MANIFEST, [])
}

async function generateTypes() {
  try {
    await generateSdkTypes()
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = 1
  }
}

/** @returns {Promise<string>} the program that runs the server, installed first if it is missing */
async function runtime() {
  const log = join(ROOT, 'var/log/install.log')
  mkdirSync(dirname(log), { recursive: true })
  const { program } = await prepareRuntime(readSettings(), { log, report: () => {} })
  return program
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} [node]
 * @returns {Promise<number>} its exit code, as a shell tells it
 */
function run(program, args, node = process.execPath) {
  const child = spawn(node, [join(ROOT, program), ...args], { cwd: ROOT, stdio: 'inherit' })
  process.on('SIGINT', () => {}) // a Ctrl-C reaches both, and the tool ends by it
  process.once('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}
