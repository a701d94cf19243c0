/** Pipes between programs, as in a shell, which report the failure of each program. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { Failure, codeOf } from '../failure.mjs'
import { MOST_STARTS, endWithOthers, wasEndedAtStart } from '../processes.mjs'

/** Timeout of each stage of a backup. */
const DEADLINE_MS = 24 * 3_600_000
const COMPLAINT_BYTES = 8192
/** Locale of the programs, so that their messages can be parsed. */
const JUDGED_BYTES = 1e6

/** A signal to our group ended a program as it started: see {@link startedAgain}. */
class EndedAtStart extends Failure {}

/**
 * Does work again whose program a signal to our group has ended as it started.
 * @template T
 * @param {(attempt: number) => Promise<T>} work makes its pipe, for the first time at attempt 1
 * @returns {Promise<T>}
 */
export async function startedAgain(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (!(error instanceof EndedAtStart) || attempt >= MOST_STARTS) throw error
    }
  }
}

/**
 * @typedef {object} Stage
 * @property {string} command
 * @property {string[]} args
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] beside ours
 * @property {(code: number | null, said: string) => boolean} [mayEndSo] whether an exit code other than 0 is a success
 */

/**
 * Runs the stages concurrently, each with the previous one's output as input.
 * @param {Stage[]} stages
 * @param {{input?: import('node:stream').Readable, output?: import('node:stream').Writable, what: string,
 *   look?: import('node:stream').Transform}} options `look` is inserted behind the first stage
 * @returns {Promise<void>} once all have succeeded and the output is written
 * @throws {Failure} with the message of the first program that failed
 */
export async function pipe(stages, { input, output, what, look }) {
  const stopped = AbortSignal.timeout(DEADLINE_MS)
  const began = Date.now()
  const children = stages.map(({ command, args, cwd, env, mayEndSo }) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      signal: stopped,
      killSignal: 'SIGKILL',
      detached: true, // Ctrl-C at the terminal does not reach it: the caller decides
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
      ...(cwd ? { cwd } : {}),
    })
    endWithOthers(child)
    const ended = once(child, 'close').then(([code, by]) => ({ code, by, ms: Date.now() - began }))
    ended.catch(() => {}) // looked at below
    return { child, command, mayEndSo, said: '', ended }
  })
  for (const one of children) {
    const most = one.mayEndSo ? JUDGED_BYTES : COMPLAINT_BYTES
    one.child.stderr.setEncoding('utf8').on('data', (text) => {
      one.said = (one.said + text).slice(-most)
    })
  }
  const first = children[0]?.child
  const last = children.at(-1)?.child
  if (!first || !last) throw new Error('no stages')
  /** @type {Promise<unknown>[]} */
  const flows = [input ? untilEnded(pipeline(input, first.stdin)) : Promise.resolve(first.stdin.end())]
  for (const [index, { child }] of children.entries()) {
    const next = children[index + 1]?.child.stdin
    if (next)
      flows.push(
        untilEnded(index === 0 && look ? pipeline(child.stdout, look, next) : pipeline(child.stdout, next)),
      )
  }
  // Unused output may hold the error message, as with sha256sum.
  const teller = children.at(-1)
  if (output) flows.push(pipeline(last.stdout, output))
  else if (teller)
    last.stdout
      .setEncoding('utf8')
      .on('data', (text) => (teller.said = (teller.said + text).slice(-COMPLAINT_BYTES)))
  const flowed = await Promise.allSettled(flows)
  const ends = await Promise.allSettled(children.map(({ ended }) => ended))
  for (const [index, end] of ends.entries()) {
    const { child, command, said, mayEndSo } = /** @type {typeof children[0]} */ (children[index])
    if (end.status === 'rejected') throw new Failure(`${what}: ${command} failed: ${end.reason.message}`)
    // EPIPE: the next stage has failed and has the better message.
    const { code, by, ms } = end.value
    if (code === 0 || (by === 'SIGPIPE' && index < ends.length - 1)) continue
    if (mayEndSo?.(code, said)) continue
    const reason = complaintIn(said) || `it ended with ${code ?? by}`
    if (wasEndedAtStart(child, by, ms)) throw new EndedAtStart(`${what}: ${command}: ${reason}`)
    throw new Failure(`${what}: ${command}: ${reason}`)
  }
  const broken = flowed.find((flow) => flow.status === 'rejected')
  if (broken) throw broken.reason
}

/**
 * A program may exit before Node sees its input closed: its exit code then decides.
 * @param {Promise<void>} flow
 */
async function untilEnded(flow) {
  await flow.catch((error) => {
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** @param {string} text @returns {string} its last non-empty lines */
function complaintIn(text) {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/exit status|^Command exited/.test(line))
  return lines.slice(-3).join('; ').slice(-600)
}
