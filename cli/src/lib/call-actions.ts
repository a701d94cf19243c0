/** Actions as they are written on a command line: a JSON list. */
import type { components } from '@jackfield/sdk'
import { parsed } from './file-fields.js'
import { usageError } from './usage-error.js'

export type CallAction = components['schemas']['CallAction']

/** Reads a list of actions; the API checks what they say. @throws when it is no JSON list */
export function actionsOf(text: string): CallAction[] {
  const actions = parsed(text, '--actions')
  if (!Array.isArray(actions)) throw usageError('--actions must be a JSON list')
  return actions as CallAction[]
}
