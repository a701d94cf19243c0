/** Runs the tests' programs: output captured or shown, a deadline for each, and no leftovers. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from './failure.mjs'
import { endRunning, processesWith, signal, signalGroup } from './processes.mjs'
import { ROOT } from './settings.mjs'

/** Environment variable that marks every process of one run. */
const RUN = 'JACKFIELD_TEST_RUN'

/** Captured output of a program is limited to its beginning. */
const OUTPUT_MOST_BYTES = 8e6

/** @type {Set<string>} */
const running = new Set()

/** Has a signal end this program and everything that it started. */
export function endRunsOnSignal() {
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      endRunning()
      endRuns()
      process.exit(130)
    })
  }
}

/** Ends everything at once; called on an interrupt. */
export function endRuns() {
  for (const run of running) for (const { pid } of processesWith(RUN, run)) signal(pid, 'SIGKILL')
}

/**
 * @typedef {object} Ended
 * @property {string} problem '' on success, else how it ended
 * @property {number} code exit code; 1 when it ended otherwise
 * @property {string} output what it printed; '' when that was shown as it came
 * @property {string[]} left command lines of the processes that it left running; they are ended
 * @property {number} seconds
 */

/**
 * Runs a Node program to its end.
 * @param {string[]} args
 * @param {{deadlineMs: number, env?: Record<string, string>, shown?: boolean, node?: string}} options `shown` prints its
 *   output at once; `node`: the program [this one’s]
 * @returns {Promise<Ended>}
 */
export async function runNode(args, { deadlineMs, env = {}, shown = false, node = process.execPath }) {
  const run = randomUUID()
  running.add(run)
  const begin = Date.now()
  try {
    const ended = await end([node, ...args], { ...process.env, ...env, [RUN]: run }, deadlineMs, shown)
    const left = await sweep(run)
    return { ...ended, left, seconds: (Date.now() - begin) / 1000 }
  } finally {
    running.delete(run)
  }
}

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @param {number} deadlineMs
 * @param {boolean} shown
 * @returns {Promise<{problem: string, code: number, output: string}>}
 */
function end([program = '', ...args], env, deadlineMs, shown) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env,
      stdio: shown ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own, so that a deadline ends what it started too
    })
    const { pid } = child
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
        if (output.length < OUTPUT_MOST_BYTES) output += chunk
      })
    }
    let late = false
    /** @type {NodeJS.Timeout | undefined} */
    let killer
    const timer = setTimeout(() => {
      late = true
      if (pid) signal(pid, 'SIGINT') // mocha then runs its after hooks
      killer = setTimeout(() => pid && signalGroup(pid, 'SIGKILL'), 15_000)
    }, deadlineMs)
    /** @param {string} problem @param {number} [code] */
    const done = (problem, code = 1) => {
      clearTimeout(timer)
      clearTimeout(killer)
      child.stdout?.destroy() // leftover children may hold the other end
      child.stderr?.destroy()
      resolve({ problem, code, output })
    }
    child.on('error', (error) => done(messageOf(error)))
    child.on('exit', async (code, name) => {
      const closed = new Promise((resolve) => child.once('close', resolve))
      await Promise.race([closed, sleep(1000)]) // its last words
      if (late) done(`passed its deadline of ${deadlineMs / 60_000} minutes`)
      else done(code === 0 ? '' : name ? `ended by ${name}` : `exit code ${code}`, code ?? 1)
    })
  })
}

/**
 * Ends what a run left running; there should be nothing.
 * @param {string} run
 * @returns {Promise<string[]>}
 */
async function sweep(run) {
  for (const end = Date.now() + 3000; Date.now() < end; await sleep(200)) {
    if (processesWith(RUN, run).length === 0) return []
  }
  const left = processesWith(RUN, run)
  for (const { pid } of left) signal(pid, 'SIGKILL')
  return left.map(({ pid, command }) => `${command.slice(0, 100)} (pid ${pid})`)
}
