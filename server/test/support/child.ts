/** A program that a test runs, and ends. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface ChildOptions {
  env?: Record<string, string>
  cwd?: string
  /** Takes each line of its standard output, which is then not kept; the program's standard input stays open. */
  onLine?: (line: string) => void
}

/** Process groups that still run, so that a test that is killed leaves nothing behind. */
const running = new Set<number>()

function killAll(): void {
  for (const pid of running) {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // it ended in between
    }
  }
}

process.once('exit', killAll)
for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  process.once(signal, () => process.exit(code))
}

/** One program in a process group of its own. Its output is kept, up to a bound. */
export class Child {
  private text = ''
  private ended: { code: number | null; signal: string | null } | undefined
  private readonly exit: Promise<void>

  private constructor(
    private readonly process: ChildProcess,
    private readonly name: string,
    onLine: ChildOptions['onLine'],
  ) {
    const keep = (chunk: Buffer): void => {
      this.text = (this.text + chunk.toString()).slice(-200_000)
    }
    if (onLine && process.stdout) createInterface(process.stdout).on('line', onLine)
    else process.stdout?.on('data', keep)
    process.stdin?.on('error', () => undefined)
    process.stderr?.on('data', keep)
    this.exit = new Promise((done) => {
      process.on('exit', (code, signal) => {
        this.ended = { code, signal }
        if (process.pid !== undefined) running.delete(process.pid)
        done()
      })
    })
  }

  /** @throws when there is no such program */
  static async start(command: string, args: readonly string[], options: ChildOptions = {}): Promise<Child> {
    const started = spawn(command, args, {
      stdio: [options.onLine ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...options.env },
      ...(options.cwd ? { cwd: options.cwd } : {}),
    })
    const child = new Child(started, command, options.onLine)
    await once(started, 'spawn')
    if (started.pid !== undefined) running.add(started.pid)
    return child
  }

  get pid(): number {
    return this.process.pid ?? 0
  }

  /** What it printed, the last 200 kB. */
  get output(): string {
    return this.text
  }

  /** Forgets what it printed until now. */
  forget(): void {
    this.text = ''
  }

  /** Writes a line to its standard input. */
  say(line: string): void {
    this.process.stdin?.write(`${line}\n`)
  }

  /** Undefined while it runs; else one line on how it ended. */
  get obituary(): string | undefined {
    if (!this.ended) return undefined
    const how = this.ended.signal ?? `code ${this.ended.code}`
    return `${this.name} ended with ${how}: ${this.text.trim().split('\n').slice(-3).join(' | ')}`
  }

  /** The exit code, when it ends within the time. */
  async exitCode(withinMs: number): Promise<number | null> {
    if (!(await this.endsWithin(withinMs))) throw new Error(`${this.name} still runs after ${withinMs} ms`)
    return this.ended?.code ?? null
  }

  /** Ends it: politely, then with its whole process group. */
  async stop(politeMs = 3000): Promise<void> {
    if (!this.ended) this.process.kill('SIGTERM')
    if (await this.endsWithin(politeMs)) return
    try {
      process.kill(-this.pid, 'SIGKILL')
    } catch {
      // it ended in between
    }
    await this.endsWithin(2000)
  }

  private async endsWithin(ms: number): Promise<boolean> {
    if (this.ended) return true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((done) => (timer = setTimeout(done, ms)))
    await Promise.race([this.exit, late])
    clearTimeout(timer)
    return this.ended !== undefined
  }
}
