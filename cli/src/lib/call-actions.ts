/** Actions as they are written on a command line: a JSON list. */
import type { components } from '@jackfield/sdk'
import { Errors } from '@oclif/core'
import { usageExitCode } from './ask.js'

export type CallAction = components['schemas']['CallAction']

/** Reads a list of actions; the API checks what they say. @throws when it is no JSON list */
export function actionsOf(text: string): CallAction[] {
  let actions: unknown
  try {
    actions = JSON.parse(text)
  } catch (error) {
    throw new Errors.CLIError(`--actions is not JSON: ${(error as Error).message}`, { exit: usageExitCode })
  }
  if (!Array.isArray(actions))
    throw new Errors.CLIError('--actions must be a JSON list', { exit: usageExitCode })
  return actions as CallAction[]
}
