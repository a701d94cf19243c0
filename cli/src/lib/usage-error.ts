import { Errors } from '@oclif/core'

/** Exit code of a usage error. */
export const usageExitCode = 2

/** Error of a wrong command line. */
export function usageError(message: string): Errors.CLIError {
  return new Errors.CLIError(message, { exit: usageExitCode })
}
