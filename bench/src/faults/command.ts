/** Programs of the machine that prepare and lift faults. */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

const started = promisify(execFile)

interface Options {
  env?: NodeJS.ProcessEnv
  timeoutMs?: number
  /** Whose rights it has. */
  uid?: number
  gid?: number
}

/** @throws with what it printed when it ends badly or takes longer than its time, a minute by default */
export async function run(command: string, args: readonly string[], options: Options = {}): Promise<string> {
  const { timeoutMs = 60_000, ...others } = options
  try {
    return (await started(command, args, { ...others, timeout: timeoutMs })).stdout
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      killed = false,
    } = error as Partial<Record<'stdout' | 'stderr', string>> & {
      killed?: boolean
    }
    const why = killed ? `takes longer than ${timeoutMs} ms` : 'ended badly'
    throw new Error(`${command} ${args.join(' ')} ${why}: ${stderr}${stdout.slice(-1_000)}`, { cause: error })
  }
}

/** The same at the end of this process, when nothing can be waited for; what fails was not there. */
export function runAtExit(command: string, args: readonly string[], env = process.env): void {
  try {
    execFileSync(command, args, { env, stdio: 'ignore', timeout: 120_000 })
  } catch {
    // it was lifted or never made
  }
}
