/**
 * Programs that read what strangers send: each in its turn, with a deadline and limits of memory, processor time and file
 * size, none through a shell, none as root. They see files as standard input and output alone, and know no path.
 */
import { spawn } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { type Lane, inLane, tookTooLong } from './lanes.js'

const maxErrorBytes = 4_000

/** More than any of our programs needs: address space and the size of its output, in bytes. */
const maxMemory = 1024 * 1024 * 1024
const maxFile = 1024 * 1024 * 1024

/** Debian's user with the fewest rights, which owns no files. */
const unprivilegedUser = 65_534

/** The codes with which prlimit, nice, ionice and setpriv say that they cannot run a program. */
const cannotRun = new Set([125, 126, 127])

/** The program itself refused what it was given (it ended with a code, not 0); the message is the end of what it said. */
export class ScriptFailedError extends Error {}

export interface ScriptJob {
  readonly lane: Lane
  readonly workspaceId: string
  /** Text for standard input, or the path of the file that it is. */
  readonly input?: string | { readonly file: string }
  /** Path of the file that standard output is; it is made. */
  readonly output?: { readonly file: string }
  /** Milliseconds from its start. */
  readonly deadlineMs?: number
  /** Limit of its output. */
  readonly maxBytes?: number
}

/**
 * Runs a program to its end.
 * @returns what it printed, at most `maxBytes`
 * @throws {ScriptFailedError} when it fails, {@link ApiError} 503 when it takes too long or no turn comes and 429 when
 *   too many of the workspace wait, Error when it cannot be run or is killed: that is the platform's fault, not the
 *   file's
 */
export async function runScript(command: string, args: readonly string[], job: ScriptJob): Promise<string> {
  return inLane(job.lane, job.workspaceId, async () => run(command, args, job))
}

/** The command with what bounds it. Each program replaces the one before it: the process stays the same. */
function bounded(command: string, args: readonly string[], { lane, deadlineMs = 30_000 }: ScriptJob) {
  const seconds = Math.ceil(deadlineMs / 1_000)
  const bounds = [`--as=${maxMemory}`, `--cpu=${seconds}`, `--fsize=${maxFile}`, '--core=0', '--nofile=64']
  // Calls come first: other work gets the processor time and the disk that they leave.
  const later = lane === 'live' ? [] : ['nice', '-n', '10', 'ionice', '-c', '2', '-n', '7']
  const user = isRoot()
    ? [`--reuid=${unprivilegedUser}`, `--regid=${unprivilegedUser}`, '--clear-groups']
    : []
  return [...bounds, ...later, 'setpriv', '--no-new-privs', ...user, command, ...args]
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

async function run(command: string, args: readonly string[], job: ScriptJob): Promise<string> {
  const { input = '', output } = job
  const files: FileHandle[] = []
  const opened = async (path: string, flags: string): Promise<number> => {
    const file = await open(path, flags)
    files.push(file)
    // The program opens it once more, as /dev/stdin or /dev/stdout, with the rights of its own user.
    if (isRoot()) await file.chown(unprivilegedUser, unprivilegedUser)
    return file.fd
  }
  try {
    const stdin = typeof input === 'string' ? 'pipe' : await opened(input.file, 'r')
    const stdout = output ? await opened(output.file, 'w') : 'pipe'
    return await ended(command, args, job, [stdin, stdout])
  } finally {
    for (const file of files) {
      if (isRoot()) await file.chown(0, 0)
      await file.close()
    }
  }
}

async function ended(
  command: string,
  args: readonly string[],
  job: ScriptJob,
  [stdin, stdout]: ['pipe' | number, 'pipe' | number],
): Promise<string> {
  const { input, deadlineMs = 30_000, maxBytes = 1_000_000 } = job
  return new Promise((resolve, reject) => {
    const child = spawn('prlimit', bounded(command, args, job), { stdio: [stdin, stdout, 'pipe'] })
    let late = false
    const timer = setTimeout(() => {
      late = true
      child.kill('SIGKILL')
    }, deadlineMs)
    let printed = ''
    let complaint = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      printed = (printed + chunk).slice(0, maxBytes)
    })
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      complaint = (complaint + chunk).slice(-maxErrorBytes)
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new Error(`${command} cannot be run: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(printed)
      else if (late || signal === 'SIGXCPU') reject(tookTooLong())
      else if (code === null) reject(new Error(`${command} was ended by ${String(signal)}`))
      else if (cannotRun.has(code)) reject(new Error(`${command} cannot be run: ${complaint.trim()}`))
      else reject(new ScriptFailedError(`${command} ended with ${code}: ${complaint.trim()}`))
    })
    // If a program ends before it has read everything, its exit code says why.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(typeof input === 'string' ? input : '')
  })
}
