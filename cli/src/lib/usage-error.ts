import { Errors } from '@oclif/core'

/** Exit code of a command that was called wrongly. */
export const usageExitCode = 2

/** What a command that was called wrongly throws. */
export function usageError(message: string): Errors.CLIError {
  return new Errors.CLIError(message, { exit: usageExitCode })
}
