/** Actions on the command line: a JSON list. */
import type { components } from '@jackfield/sdk'
import { parsed } from './file-fields.js'
import { usageError } from './usage-error.js'

export type CallAction = components['schemas']['CallAction']

/** Parses a list of actions; the API validates them. @throws if it is not a JSON list */
export function actionsOf(text: string): CallAction[] {
  const actions = parsed(text, '--actions')
  if (!Array.isArray(actions)) throw usageError('--actions must be a JSON list')
  return actions as CallAction[]
}
