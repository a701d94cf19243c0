/** The command line as a shell runs it, against a real server. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { type TestAppliance, startAppliance } from './appliance.js'

/** The program's own file. */
export const programFile = fileURLToPath(new URL('../../bin/run.js', import.meta.url))

/** What a run printed, and how it ended. */
export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

interface RunOptions {
  environment?: Record<string, string>
  stdin?: string
}

/** Runs commands one after the other in one process. */
const runnerFile = fileURLToPath(new URL('command-runner.js', import.meta.url))

/** The program with a home of its own, on a server of its own. */
export class Program {
  private runner: ChildProcess | undefined
  private queue: Promise<unknown> = Promise.resolve()

  private constructor(
    readonly appliance: TestAppliance,
    /** Home, configuration and working directory of the program. */
    readonly home: string,
    private readonly isOneProcess: boolean,
  ) {}

  /** @param options `isOneProcess`: commands share a process, where they need no input and no environment of their own */
  static async start({ isOneProcess = true } = {}): Promise<Program> {
    return new Program(
      await startAppliance(),
      await mkdtemp(join(tmpdir(), 'jackfield-config-')),
      isOneProcess,
    )
  }

  get environment(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      XDG_CONFIG_HOME: this.home,
      XDG_CACHE_HOME: join(this.home, 'cache'),
      XDG_DATA_HOME: join(this.home, 'data'),
      NO_COLOR: '1',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(this.home, 'compiled'),
      JACKFIELD_HOME: this.appliance.home,
    }
  }

  async run(args: string[], options: RunOptions = {}): Promise<Ran> {
    if (!this.isOneProcess || options.environment || options.stdin !== undefined)
      return this.runAlone(args, options)
    const ran = this.queue.then(async () => this.runBeside(args))
    this.queue = ran.catch(() => undefined)
    return ran
  }

  private async runBeside(args: string[]): Promise<Ran> {
    this.runner ??= fork(runnerFile, [programFile], {
      env: this.environment,
      cwd: this.home,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const runner = this.runner
    const ended = new AbortController()
    try {
      const died = once(runner, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`the process of the commands ended with ${String(code)} in ${args.join(' ')}`)
      })
      const answer = once(runner, 'message', { signal: ended.signal }).then(([ran]) => ran as Ran)
      const first = Promise.race([answer, died])
      runner.send(args)
      return await first
    } finally {
      ended.abort()
    }
  }

  private async runAlone(args: string[], { environment = {}, stdin }: RunOptions): Promise<Ran> {
    const child = spawn(process.execPath, [programFile, ...args], {
      env: { ...this.environment, ...environment },
      cwd: this.home,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    const code = await new Promise<number | null>((done) => child.on('close', done))
    return { code, stdout, stderr }
  }

  /** Runs on a terminal of 120 columns, where each question that shows up is given its answer. */
  async onTerminal(args: string[], answers: [question: string, answer: string][] = []): Promise<Ran> {
    const command = [process.execPath, programFile, ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn('script', ['-qec', `stty cols 120; ${command}`, '/dev/null'], {
      env: { ...this.environment, TERM: 'xterm' },
      cwd: this.home,
    })
    const open = [...answers]
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk
      const [next] = open
      if (!next || !stdout.includes(next[0])) return
      open.shift()
      child.stdin.write(`${next[1]}\r`)
    })
    const code = await new Promise<number | null>((done) => child.on('close', done))
    return { code, stdout, stderr: '' }
  }

  /** Runs what must succeed with --json, and returns what it printed. */
  async json(...args: string[]): Promise<Record<string, any>> {
    const { code, stdout, stderr } = await this.run([...args, '--json'])
    expect(code, args.join(' ') + stderr + stdout).to.equal(0)
    return JSON.parse(stdout) as Record<string, any>
  }

  async stop(): Promise<void> {
    this.runner?.disconnect()
    await this.appliance.stop()
    await rm(this.home, { recursive: true, force: true })
  }
}

/** An error's text without the line breaks that oclif wraps it with. */
export function unwrapped(text: string): string {
  return text.replace(/\s*\n\s*›?\s*/g, ' ').replace(/\s+/g, ' ')
}
