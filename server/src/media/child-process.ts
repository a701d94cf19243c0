/** Programs that the media feature runs: a few at once, each with a deadline, none through a shell. */
import { spawn } from 'node:child_process'
import { ApiError } from '../http/errors.js'

const maxRunning = 4
const maxWaiting = 200
const maxWaitMs = 30_000
const maxErrorBytes = 4_000

let running = 0
const waiting: (() => void)[] = []

/** The program itself refused what it was given (it ended with a code, not 0); the message is the end of what it said. */
export class ProgramFailedError extends Error {}

/**
 * Runs a program to its end.
 * @param input what it reads from standard input
 * @returns what it printed, at most `maxBytes`
 * @throws {ProgramFailedError} when it fails, {@link ApiError} 503 when it takes too long or too many wait, Error
 *   when it cannot be run or is killed: that is our trouble, not that of who sent the file
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { input = '', deadlineMs = 30_000, maxBytes = 1_000_000 } = {},
): Promise<string> {
  await takeTurn()
  try {
    return await run(command, args, input, deadlineMs, maxBytes)
  } finally {
    passTurn()
  }
}

async function takeTurn(): Promise<void> {
  if (running < maxRunning) {
    running += 1
    return
  }
  if (waiting.length >= maxWaiting) throw tooBusy()
  await new Promise<void>((resolve, reject) => {
    const go = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(tooBusy())
    }, maxWaitMs)
    waiting.push(go)
  })
}

/** Hands the turn to who has waited longest; it is never free in between, for another to take. */
function passTurn(): void {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

const tooBusy = () => new ApiError(503, 'Too much audio is being converted: try again later')

async function run(
  command: string,
  args: readonly string[],
  input: string,
  deadlineMs: number,
  maxBytes: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, deadlineMs)
    let output = ''
    let complaint = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(0, maxBytes)
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint = (complaint + chunk).slice(-maxErrorBytes)
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new Error(`${command} cannot be run: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else if (late) reject(new ApiError(503, 'Converting the audio took too long: try again later'))
      else if (code === null) reject(new Error(`${command} was ended by ${String(signal)}`))
      else reject(new ProgramFailedError(`${command} ended with ${code}: ${complaint.trim()}`))
    })
    // A program that ends before it has read everything is told of by its exit code.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
