/** Programs that the media feature runs: a few at once, each with a deadline, none through a shell. */
import { spawn } from 'node:child_process'
import { ApiError } from '../http/errors.js'

const maxRunning = 4
const maxWaiting = 200
const maxErrorBytes = 4_000

let running = 0
const waiting: (() => void)[] = []

/** The program ended with another code than 0; the message is the end of what it said. */
export class ProgramFailedError extends Error {}

/**
 * Runs a program to its end.
 * @param input what it reads from standard input
 * @returns what it printed, at most `maxBytes`
 * @throws {ProgramFailedError} when it fails or takes too long, {@link ApiError} 503 when too many wait
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
    running -= 1
    waiting.shift()?.()
  }
}

async function takeTurn(): Promise<void> {
  if (running >= maxRunning) {
    if (waiting.length >= maxWaiting)
      throw new ApiError(503, 'Too much audio is being converted: try again later')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running += 1
}

async function run(
  command: string,
  args: readonly string[],
  input: string,
  deadlineMs: number,
  maxBytes: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
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
      reject(new ProgramFailedError(`${command} cannot be run: ${error.message}`))
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(new ProgramFailedError(`${command} ended with ${String(code)}: ${complaint.trim()}`))
    })
    // A program that ends before it has read everything is told of by its exit code.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
