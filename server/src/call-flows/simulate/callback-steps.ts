/** Callbacks in a trial: what the customer's server would answer is given, or it answers nothing. */
import { type Found, contactInside, readContact } from '../../callbacks/contact-lookup.js'
import { findAction } from '../../calls/actions/index.js'
import { problemWith } from '../../calls/actions/perform.js'
import type { CallAction } from '../../calls/call.schema.js'
import { completed } from '../../calls/script.js'
import { fillIn } from '../decisions/subjects.js'
import { withContact } from '../flow-state.js'
import type { SendMessageParams } from '../nodes/callbacks.js'
import { type Simulate, collected, describe, hangupCause } from './step.js'
import type { Trial } from './trial.js'

export const contactLookup: Simulate = async (node, trial, given) => {
  const details = await describe(node, trial)
  if (given !== undefined && given !== 'found') return { outcome: given, details }
  const result = await whoCalls(trial, node.params['url'] === undefined)
  if (result.outcome === 'found') {
    const { json, name } = result.contact
    const state = withContact(trial.state, json, name)
    return { outcome: 'found', details: { ...details, contact_name: name }, state }
  }
  const problem = result.outcome === 'error' && { problem: result.failure.message }
  return { outcome: given ?? result.outcome, details: { ...details, ...problem } }
}

/** Shows the text of a message; nothing is sent. */
export const sendMessage: Simulate = async (node, trial, given) => {
  const { body } = node.params as SendMessageParams
  const details = { ...(await describe(node, trial)), body: fillIn(body, trial.state) }
  return { outcome: given ?? 'sent', details }
}

async function whoCalls({ request, services, workspace, state }: Trial, inside: boolean): Promise<Found> {
  if (request.contact) return readContact(JSON.stringify(request.contact), request.contact)
  if (request.contact === null || !inside) return { outcome: 'not_found' }
  return contactInside(services.contacts, { workspace, caller_number: state.caller_number })
}

export const jsonCallAction: Simulate = async (node, trial, given) => {
  const details = await describe(node, trial)
  if (given !== undefined && given !== 'completed') return { outcome: given, details }
  const read = trial.answerAt(node.id)
  if (!read.ok) return { outcome: given ?? 'error', details: { ...details, problem: read.message } }
  const done: object[] = []
  for (const action of read.actions) {
    const problem = await problemWith(trial.workspace, action, trial.services.actions)
    if (problem !== undefined) {
      done.push({ action: action.action, outcome: 'failed', problem })
      continue
    }
    done.push(await act(action, trial))
    const cause = causeAfter(action, trial)
    if (cause) return { outcome: null, cause, details: { ...details, actions: done } }
  }
  const ignored = read.ignored.length > 0 && { ignored: read.ignored }
  return { outcome: 'completed', details: { ...details, actions: done, ...ignored } }
}

/** Keys of an `ivr` among them are not kept with the flow, as on a call. */
async function act({ action, params = {}, auto_answer }: CallAction, trial: Trial): Promise<object> {
  trial.caller.pass({ type: action, params, autoAnswer: auto_answer }, completed)
  const schema = findAction(action)?.params
  const named = { action, ...params, ...(schema && (await trial.namesIn(schema, params))) }
  return action === 'ivr' ? { ...named, ...collected(params, trial) } : named
}

/** The cause with which the call is hung up after an action; undefined if the flow continues. */
function causeAfter(
  { action, params = {}, continue: goesOn = true }: CallAction,
  { caller }: Trial,
): string | undefined {
  if (action === 'hangup' || action === 'disconnect') return hangupCause(params)
  return goesOn ? undefined : caller.causeAtEnd
}
