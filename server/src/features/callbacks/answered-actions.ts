/**
 * Call actions in the answer of a customer's server. An invalid one fails alone, when its turn comes: the actions behind
 * it, as a voicemail behind an agent who has been deleted, still run (contract, Calls).
 */
import { findAction, paramProblems } from '../calls/script/actions/index.js'
import { problemText } from '../calls/script/actions/problem-text.js'
import { CallAction, type ScriptStep, maxActions } from '../calls/model/call.schema.js'
import type { FieldProblem } from '../../infrastructure/http/errors.js'
import { bodyValidator, validateAt } from '../../infrastructure/http/validation.js'
import { type CallbackFailure, failure } from '../../infrastructure/callbacks/callback-client.js'
import { knownFields } from './known-fields.js'

/** Longest text of `tts` in an answer; scripts of the API may speak longer ones (contract, Call actions). */
const maxTextLength = 1_000

/** Ignored fields that a timeline names, and characters of each. */
const maxIgnored = 20
const maxFieldLength = 100

export interface AnsweredActions {
  ok: true
  actions: ScriptStep[]
  /** Paths of what was left out since it means nothing, as `actions.0.params.language`; 20 at most. */
  ignored: string[]
}

const checkStep = bodyValidator(CallAction)

/** Reads `{actions: […]}`; it is refused only where it is not that. What actions name is looked up when they run. */
export function readActions({
  actions: given,
}: Readonly<Record<string, unknown>>): AnsweredActions | CallbackFailure {
  if (given === undefined) return failure('invalid', 'actions is required')
  if (!Array.isArray(given)) return failure('invalid', 'actions must be of type array')
  const ignored = new IgnoredFields()
  const actions = given
    .slice(0, maxActions)
    .map((action: unknown, index) => readAction(action, `actions.${index}`, ignored))
  if (given.length > maxActions) ignored.add(`actions.${maxActions} and those behind it`)
  return { ok: true, actions, ignored: ignored.named }
}

function readAction(given: unknown, path: string, ignored: IgnoredFields): ScriptStep {
  const add = (field: string) => ignored.add(field)
  const step = knownFields(CallAction, given, path, add) as CallAction
  const wrong = validateAt(checkStep, step, path)
  if (wrong.length > 0) return failing(step, wrong)
  const action = findAction(step.action)
  const params = action ? knownFields(action.params, step.params ?? {}, `${path}.params`, add) : {}
  const read = { ...step, params: params as Record<string, unknown> }
  const problems = [...paramProblems(read, path), ...lengthProblems(read, path)]
  return problems.length > 0 ? failing(step, problems) : { ...read, answered: true }
}

/** Nothing of it is kept but what it is called. */
function failing(step: unknown, problems: readonly FieldProblem[]): ScriptStep {
  const { action } = (step ?? {}) as { action?: unknown }
  const name = typeof action === 'string' ? action.slice(0, 64).replace(/\p{Cs}/gu, '\ufffd') : ''
  return { action: name, answered: true, problem: problemText(problems) }
}

function lengthProblems({ action, params }: CallAction, path: string): FieldProblem[] {
  const text = action === 'tts' ? params?.['text'] : undefined
  if (typeof text !== 'string' || [...text].length <= maxTextLength) return []
  const field = `${path}.params.text`
  return [{ field, messages: [`${field} must NOT have more than ${maxTextLength} characters`] }]
}

class IgnoredFields {
  readonly named: string[] = []

  add(field: string): void {
    if (this.named.length >= maxIgnored) return
    this.named.push(field.slice(0, maxFieldLength).replace(/\p{Cs}/gu, '\ufffd'))
  }
}
