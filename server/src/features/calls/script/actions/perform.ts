/** Runs one action. If it fails it says why, and the script continues with the next one. */
import type { Outcome } from '../../model/outcomes.js'
import type { Owner } from '../../../../infrastructure/database/workspace-table.js'
import { ValidationError } from '../../../../infrastructure/http/errors.js'
import type { ScriptStep } from '../../model/call.schema.js'
import type { ActionContext, ActionServices, NestedCheck } from './action.js'
import { findAction, scriptProblems } from './index.js'
import { problemText } from './problem-text.js'

export interface Performed {
  outcome: Outcome
  /** Why it failed, where that is known. */
  problem?: string | undefined
}

/** Outcomes that may be due to something deleted since. */
const unreached = new Set<Outcome>(['failed', 'offline'])

/** What is wrong with a step now, including what it refers to; undefined if nothing is. */
export async function problemWith(
  workspace: Owner,
  { action, params = {}, problem }: ScriptStep,
  services: ActionServices,
): Promise<string | undefined> {
  if (problem !== undefined) return problem
  const nested: NestedCheck = async (script, field) => scriptProblems(workspace, script, services, { field })
  const found = (await findAction(action)?.check?.(workspace, params, services, nested)) ?? []
  return found.length > 0 ? problemText(found) : undefined
}

/**
 * Runs the action of a step. Actions from the answer of a customer's server are checked first; others only when they
 * have failed.
 * @throws what the action throws, except for invalid parameters
 */
export async function perform(context: ActionContext, step: ScriptStep): Promise<Performed> {
  const { action: name, params = {}, answered = false, problem } = step
  const action = findAction(name)
  if (problem !== undefined || !action) return { outcome: 'failed', problem }
  const problemNow = async () => problemWith(context.workspace, step, context)
  const wrong = answered ? await problemNow() : undefined
  if (wrong !== undefined) return { outcome: 'failed', problem: wrong }
  try {
    const outcome = await action.run(context, params)
    if (!unreached.has(outcome) || answered || context.signal.aborted) return { outcome }
    return { outcome, problem: await problemNow() }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return { outcome: 'failed', problem: problemText(error.errors) }
  }
}
