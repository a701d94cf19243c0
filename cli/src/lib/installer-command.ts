/** Commands that are programs of the installer: what follows on the command line is theirs. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Command } from '@oclif/core'

const installer = fileURLToPath(new URL('../../../../installer/', import.meta.url))

interface InstallerProgram {
  /** Its file in `installer/`. */
  readonly file: string
  readonly summary: string
  readonly description: string
  readonly example: string
}

export function installerCommand({ file, summary, description, example }: InstallerProgram): Command.Class {
  return class extends Command {
    static override readonly summary = summary
    static override readonly description = description
    static override readonly examples = [`<%= config.bin %> ${example}`]
    static override readonly strict = false

    override async run(): Promise<void> {
      const code = await run([installer + file, ...this.argv])
      if (code !== 0) this.exit(code)
    }
  }
}

/** @returns the exit code; 1 when a signal ended it */
async function run(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  // A Ctrl-C reaches both; the child says what that stopped.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    process.off('SIGINT', ignore)
  }
}
