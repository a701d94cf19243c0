/** Commands that run a program of the installer, which gets the remaining arguments. */
import { Command } from '@oclif/core'
import { examplesOf } from './base-command.js'
import { runInstaller } from './installer.js'

interface InstallerProgram {
  readonly program: Parameters<typeof runInstaller>[0]
  readonly summary: string
  readonly description: string
  readonly example: string
}

export function installerCommand({
  program,
  summary,
  description,
  example,
}: InstallerProgram): Command.Class {
  return class extends Command {
    static override readonly summary = summary
    static override readonly description = description
    static override readonly examples = examplesOf([example])
    static override readonly strict = false

    override async run(): Promise<void> {
      this.exit(await runInstaller(program, this.argv))
    }
  }
}
