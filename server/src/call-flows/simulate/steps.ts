/** What nodes do in a simulation: nothing is dialled, and no server is asked. */
import { completed } from '../../calls/script.js'
import { decisions } from '../decisions/index.js'
import { menuAttempt } from '../decisions/menu.js'
import { nodeTypes } from '../nodes/index.js'
import type { MenuParams } from '../nodes/inputs.js'
import { otherwise } from '../nodes/node-type.js'
import { contactLookup, jsonCallAction, sendMessage } from './callback-steps.js'
import { type Simulate, collected, describe, hangupCause } from './step.js'

const menu: Simulate = async (node, trial, given) => {
  const params = node.params as MenuParams
  const details = await describe(node, trial)
  if (given !== undefined) return { outcome: given, details }
  const pressed: (string | null)[] = []
  for (;;) {
    const key = trial.keys.one()
    const came = menuAttempt(params, node.next, key, pressed.length)
    pressed.push(key)
    if ('outcome' in came) {
      const state = { ...trial.state, digits: key ?? '' }
      return { outcome: came.outcome, details: { ...details, pressed }, state }
    }
  }
}

const ivr: Simulate = async (node, trial, given) => {
  const { digits, status } = collected(node.params, trial)
  const details = { ...(await describe(node, trial)), digits }
  return { outcome: given ?? status, details, state: { ...trial.state, digits } }
}

const toOperator: Simulate = async (node, trial, given) => {
  const { actions } = trial.services
  const found = await actions.routing.find(trial.workspace, String(node.params['phone_number']))
  const inside = found && found.kind !== 'number' ? { reaches: found.name } : {}
  return { outcome: given ?? completed, details: { ...(await describe(node, trial)), ...inside } }
}

const goToExtension: Simulate = async (node, trial, given) => {
  const { extensions } = trial.services
  const { digits } = trial.state
  const id = node.params['extension_id']
  const found =
    typeof id === 'string'
      ? await extensions.get(trial.workspace, id)
      : await extensions.findByNumber(trial.workspace, digits)
  const details = await describe(node, trial)
  if (!found) return { outcome: given ?? 'unknown', details: { ...details, digits } }
  const { extension_number, title, destination } = found
  const extension = { id: found.id, extension_number, title, destination }
  return { outcome: given ?? completed, details: { ...details, extension } }
}

const hangUp: Simulate = async ({ params }) => {
  const cause = hangupCause(params)
  return { outcome: null, cause, details: { cause } }
}

const steps: Readonly<Record<string, Simulate>> = {
  menu,
  ivr,
  to_operator: toOperator,
  go_to_extension: goToExtension,
  send_message: sendMessage,
  contact_lookup: contactLookup,
  json_call_action: jsonCallAction,
  hangup: hangUp,
  disconnect: hangUp,
}

/** Goes through one node. */
export const simulate: Simulate = async (node, trial, given) => {
  const decide = decisions.get(node.type)
  if (decide) {
    const { outcome, ...decided } = decide(node.params, trial.state, trial.circumstances)
    return { ...decided, outcome: given ?? outcome }
  }
  return (steps[node.type] ?? done)(node, trial, given)
}

/** The first outcome of a type is the one of a node that did what it is there for. */
const done: Simulate = async (node, trial, given) => {
  const [first = otherwise] = nodeTypes.get(node.type)?.outcomes(node.params) ?? []
  const outcome = given ?? (first === otherwise ? completed : first)
  return { outcome, details: await describe(node, trial) }
}
