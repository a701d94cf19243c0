/** Child processes and processes known by pid: run, identify, stop. Nothing is stopped by name. */
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.mjs'

/**
 * A process that can be recognised later: a pid alone may be reused by another process.
 * @typedef {object} Identity
 * @property {number} pid
 * @property {number} startTicks when it started, in clock ticks since boot
 */

/**
 * @param {number} pid
 * @returns {Identity | null} null when no such process runs
 */
export function identify(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : { pid, startTicks: Number(fields[19]) }
  } catch {
    return null
  }
}

/**
 * The process group of a process: that of its part, as each part leads a group.
 * @param {number} pid
 * @returns {number} 0 when no such process runs
 */
export function groupOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  } catch {
    return 0
  }
}

/**
 * Whether exactly this process still runs.
 * @param {Identity | null | undefined} identity
 * @returns {boolean}
 */
export function isAlive(identity) {
  return !!identity && identify(identity.pid)?.startTicks === identity.startTicks
}

/**
 * Stops a process and its group: SIGTERM, then SIGKILL after the grace period. Returns when it is gone.
 * @param {Identity | null | undefined} identity
 * @param {number} graceMs
 * @returns {Promise<'gone' | 'stopped' | 'killed'>} `gone` when it did not run
 */
export async function stop(identity, graceMs) {
  if (!identity || !isAlive(identity)) return 'gone'
  signal(identity.pid, 'SIGTERM')
  for (const end = Date.now() + graceMs; Date.now() < end; await sleep(30)) {
    if (!isAlive(identity)) return 'stopped'
  }
  signalGroup(identity.pid, 'SIGKILL')
  for (const end = Date.now() + 5000; isAlive(identity) && Date.now() < end;) await sleep(30)
  return 'killed'
}

/**
 * Sends a signal to one process; a process that has ended is no error.
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
export function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // gone already
  }
}

/**
 * Sends a signal to a process and the group it leads, if it leads one.
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
export function signalGroup(pid, name) {
  signal(-pid, name)
  signal(pid, name)
}

/**
 * Runs a program to its end, its output going to a log file. One that SIGINT, SIGTERM or SIGHUP ends just after its
 * start is started again, up to three times, so it must tolerate a second start; {@link endRunning} ends it for good.
 * @param {string} command
 * @param {string[]} args
 * @param {{log: string, deadlineMs: number, cwd?: string, env?: NodeJS.ProcessEnv, what: string}} options
 * @returns {Promise<{code: number, output: string}>} exit code (128 when ended by a signal) and what it printed (its last 64 kB)
 * @throws {Failure} when it cannot be started or passes the deadline
 */
export async function run(command, args, { log, deadlineMs, cwd, env, what }) {
  const file = openSync(log, 'a')
  const from = fstatSync(file).size
  /** @type {import('node:child_process').SpawnOptions} */
  const options = {
    stdio: ['ignore', file, file],
    env: env ?? process.env,
    detached: true, // its own group, so that a deadline ends what it started too
    ...(cwd ? { cwd } : {}),
  }
  try {
    for (let attempt = 1; ; attempt++) {
      const began = Date.now()
      const child = spawn(command, args, options)
      const { code, signal: by } = await ended(child, { log, deadlineMs, what })
      const isAgain = wasEndedAtStart(child, by, Date.now() - began) && attempt < MOST_STARTS
      if (!isAgain) return { code: code ?? 128, output: readTail(log, from) }
    }
  } finally {
    closeSync(file)
  }
}

/** Signals that a terminal or a service manager sends to a whole group. */
const GROUP_SIGNALS = new Set(['SIGINT', 'SIGTERM', 'SIGHUP'])
const STARTING_MS = 500
export const MOST_STARTS = 3

/**
 * Until a program that we start leads its own group, a signal to our group ends it, too: it is to be started again.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals | null} by what ended it
 * @param {number} ms that it ran
 * @returns {boolean} false for one that we have ended on purpose
 */
export function wasEndedAtStart(child, by, ms) {
  return by !== null && GROUP_SIGNALS.has(by) && ms < STARTING_MS && !interrupted.has(child)
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {{log: string, deadlineMs: number, what: string}} options
 * @returns {Promise<{code: number | null, signal: NodeJS.Signals | null}>}
 * @throws {Failure} when it cannot be started or passes the deadline
 */
async function ended(child, { log, deadlineMs, what }) {
  endWithOthers(child)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (child.pid) signalGroup(child.pid, 'SIGKILL')
      reject(
        new Failure(
          `${what} took longer than ${Math.round(deadlineMs / 1000)} s and was stopped: see ${log}`,
        ),
      )
    }, deadlineMs)
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new Failure(`${what} cannot start: ${error.message}`))
    })
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal })
    })
  })
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
/** Children that {@link endRunning} has ended. @type {WeakSet<import('node:child_process').ChildProcess>} */
const interrupted = new WeakSet()

/**
 * Registers a program for {@link endRunning}.
 * @param {import('node:child_process').ChildProcess} child that leads a group of its own
 */
export function endWithOthers(child) {
  running.add(child)
  child.once('exit', () => running.delete(child)).once('error', () => running.delete(child))
}

/** Ends every running program; called on an interrupt. */
export function endRunning() {
  for (const child of running) {
    interrupted.add(child)
    if (child.pid) signalGroup(child.pid, 'SIGTERM')
  }
}

/**
 * The end of a file as text.
 * @param {string} path
 * @param {number} [from] byte to start at
 * @param {number} [most] bytes
 * @returns {string} '' when it cannot be read
 */
export function readTail(path, from = 0, most = 65536) {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const start = Math.max(from, size - most)
      const bytes = Buffer.alloc(Math.max(0, size - start))
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, start))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/**
 * Processes that inherited an environment variable with this value, without zombies.
 * @param {string} name
 * @param {string} value
 * @returns {(Identity & {command: string})[]}
 */
export function processesWith(name, value) {
  const wanted = `${name}=${value}`
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        if (!readFileSync(`/proc/${entry}/environ`, 'utf8').split('\0').includes(wanted)) return []
        const identity = identify(Number(entry))
        const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return identity ? [{ ...identity, command }] : []
      } catch {
        return [] // ended meanwhile
      }
    })
}
