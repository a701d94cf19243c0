/** Which Node runs the server, its migrations and the sandbox. The installer and the command line run on the machine's own. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.mjs'
import { LEAST_NODE, isLeastNode } from '../machine.mjs'
import { ROOT } from '../settings.mjs'
import { PROGRAM, VERSION, installRuntime, isNewEnough } from './install.mjs'

/**
 * @typedef {object} Runtime
 * @property {string} program path of the node program
 * @property {string} version `24.21.0`
 * @property {string} why it was chosen, for display
 * @property {boolean} isFallback whether a newer one should run
 */

/** A start takes a tenth of a second. */
const TRY_MS = 30_000

/** The server's packages with machine code: they need a Node, and a C library, that fits. */
const NATIVE = ['onnxruntime-node', '@node-rs/argon2']
const TRY = `const { createRequire } = require('node:module')
const load = createRequire(process.argv[1])
for (const name of ${JSON.stringify(NATIVE)}) load(name)
console.log(process.versions.node)`

/** What was chosen before, while it is there. @type {Runtime | null} */
let chosen = null

/**
 * Chooses the program: that of the settings, the machine's own if it is as new as the one that is installed, else that one
 * if it runs here, else the machine's own.
 * @param {import('../settings.mjs').Settings} settings
 * @param {string} [problem] why none was installed
 * @returns {Runtime}
 * @throws {Failure} if that of the settings does not run, or is too old
 */
export function chooseRuntime(settings, problem = '') {
  if (!chosen || !existsSync(chosen.program)) chosen = choose(settings['node.bin'], problem)
  return chosen
}

/** @param {string} given @param {string} problem @returns {Runtime} */
function choose(given, problem) {
  const own = { program: process.execPath, version: process.versions.node, why: 'this machine’s' }
  if (given !== '') {
    const { version, failure } = tried(given)
    if (failure) throw new Failure(`JACKFIELD_NODE_BIN (node.bin): ${given} ${failure}`)
    return { program: given, version, why: 'of JACKFIELD_NODE_BIN', isFallback: false }
  }
  if (isNewEnough()) return { ...own, isFallback: false }
  const { failure } = existsSync(PROGRAM) ? tried(PROGRAM) : { failure: problem || 'is not installed' }
  if (!failure) return { program: PROGRAM, version: VERSION, why: 'from npm', isFallback: false }
  const reason = problem ? `${VERSION} cannot be installed: ${problem}` : `${VERSION} ${failure}`
  return { ...own, why: `${own.why}, as ${reason}`, isFallback: true }
}

/**
 * Whether a program is a Node that can run the server on this machine.
 * @param {string} program
 * @returns {{version: string, failure: string}} `failure` is '' if it can
 */
function tried(program) {
  const { status, stdout, stderr, error } = spawnSync(
    program,
    ['-e', TRY, join(ROOT, 'server/package.json')],
    { encoding: 'utf8', timeout: TRY_MS, killSignal: 'SIGKILL' },
  )
  const version = stdout?.trim() ?? ''
  if (status === 0 && /^\d+\.\d+\.\d+/.test(version))
    return { version, failure: isLeastNode(version) ? '' : `is ${version}: ${LEAST_NODE} is needed` }
  const lines = (stderr ?? '').split('\n').filter((line) => line.trim() !== '')
  const telling = lines.find((line) => /error|not found|denied/i.test(line)) ?? lines.at(-1)
  const reason = error?.message ?? telling?.trim() ?? `exit code ${status}`
  return { version: '', failure: `does not run here: ${reason.slice(0, 200)}` }
}

/** In one line, for display. @param {Pick<Runtime, 'version' | 'why'>} runtime */
export function describeRuntime({ version, why }) {
  return `${version}, ${why}`
}

/**
 * Installs what is missing, and says which one runs the server.
 * @param {import('../settings.mjs').Settings} settings
 * @param {{log: string, report: (text: string) => void}} options
 * @returns {Promise<Runtime>}
 * @throws {Failure} if that of the settings does not run, or is too old
 */
export async function prepareRuntime(settings, { log, report }) {
  const problem = settings['node.bin'] === '' ? await installRuntime({ log, report }) : ''
  chosen = null
  const runtime = chooseRuntime(settings, problem)
  report(describeRuntime(runtime))
  return runtime
}
