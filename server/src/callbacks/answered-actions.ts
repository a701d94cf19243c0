/** Call actions in the answer of a customer's server. */
import Type from 'typebox'
import type { ActionServices } from '../calls/actions/action.js'
import { checkActions } from '../calls/actions/index.js'
import { CallAction, maxActions } from '../calls/call.schema.js'
import type { Owner } from '../database/workspace-table.js'
import { type FieldProblem, ValidationError } from '../http/errors.js'
import { bodyValidator } from '../http/validation.js'
import { type CallbackFailure, failure } from './callback-client.js'

/** Longest text of `tts` in an answer; scripts of the API may speak longer ones (contract, Call actions). */
const maxTextLength = 1_000

/** Longest explanation of what is wrong with an answer. */
const maxMessageLength = 500

const checkShape = bodyValidator(Type.Object({ actions: Type.Array(CallAction, { maxItems: maxActions }) }))

/**
 * Reads `{actions: […]}`. One action that is wrong makes the whole answer wrong, so that a call never does half of
 * what was meant.
 */
export async function readActions(
  workspace: Owner,
  { actions }: Readonly<Record<string, unknown>>,
  services: ActionServices,
): Promise<{ ok: true; actions: CallAction[] } | CallbackFailure> {
  try {
    checkShape({ ...(actions !== undefined && { actions }) })
    const script = actions as CallAction[]
    const tooLong = script.flatMap(lengthProblems)
    if (tooLong.length > 0) throw new ValidationError(tooLong)
    await checkActions(workspace, script, services)
    return { ok: true, actions: script }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const message = error.errors.flatMap(withField).join('; ')
    // A field may have any name, also one that no column of the database keeps.
    return failure('invalid', message.slice(0, maxMessageLength).replace(/\p{Cs}/gu, '\ufffd'))
  }
}

function lengthProblems({ action, params }: CallAction, index: number): FieldProblem[] {
  const text = action === 'tts' ? params?.['text'] : undefined
  if (typeof text !== 'string' || [...text].length <= maxTextLength) return []
  const field = `actions.${index}.params.text`
  return [{ field, messages: [`${field} must NOT have more than ${maxTextLength} characters`] }]
}

/** What an action says of its own parameters does not tell which action it is. */
function withField({ field, messages }: FieldProblem): string[] {
  return messages.map((message) => (message.includes(field) ? message : `${field}: ${message}`))
}
