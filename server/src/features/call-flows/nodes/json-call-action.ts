import { completed } from '../../calls/model/outcomes.js'
import Type from 'typebox'
import { callbackDetails } from '../../callbacks/timeline.js'
import { findAction } from '../../calls/script/actions/index.js'
import { problemWith } from '../../calls/script/actions/perform.js'
import { CallbackHeaders, CallbackUrl } from '../../calls/script/actions/shared-params.js'
import type { CallAction } from '../../calls/model/call.schema.js'
import { contactVariable } from '../contact-variable.js'
import { nextNode } from '../edges.js'
import type { NodeTrial } from './node-trial.js'
import { callbackCall, checkServer } from './customer-server.js'
import { flowNode } from './flow-node.js'
import { hangupCause } from './hang-up.js'
import { collectedKeys } from './ivr.js'

/** Asks the customer's server what to do, and does it; what it answered is kept with the call before it begins. */
export const jsonCallAction = flowNode({
  type: 'json_call_action',
  group: 'services',
  summary: 'Asks your server for call actions and runs them',
  params: Type.Object({ url: CallbackUrl, headers: Type.Optional(CallbackHeaders) }),
  outcomes: ['completed', 'error'],
  check: checkServer,
  async run({ params: { url, headers = {} }, node, state, host, context, signal, services }) {
    const isLast = nextNode(node, completed) === null
    const isBegun = host.call.script_node === node.id
    if (isBegun) {
      await host.runSubscript(node.id, null, signal, isLast)
      return { outcome: 'completed' }
    }
    const contactData = state.contact && (await context.line.text(contactVariable))
    const call = callbackCall(host, state)
    const answer = await services.jsonCallAction.ask(call, { url, headers }, contactData)
    const failed = answer.ok ? null : answer
    const extra = { node: node.id, ignored: answer.ok ? answer.ignored : [] }
    host.note('call.callback', callbackDetails('json_call_action', answer.exchange, failed, extra))
    if (!answer.ok || signal.aborted) return { outcome: 'error' }
    if (answer.actions.length > 0) await host.runSubscript(node.id, answer.actions, signal, isLast)
    return { outcome: 'completed' }
  },
  async simulate({ node, trial, given, details }) {
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
  },
})

/** Does an action of the answer in a trial. As on a call, keys of an `ivr` among them are not kept with the flow. */
async function act({ action, params = {}, auto_answer }: CallAction, trial: NodeTrial): Promise<object> {
  trial.caller.pass({ type: action, params, autoAnswer: auto_answer }, completed)
  const schema = findAction(action)?.params
  const named = { action, ...params, ...(schema && (await trial.namesIn(schema, params))) }
  return action === 'ivr' ? { ...named, ...collectedKeys(params, trial) } : named
}

/** The cause with which the call is hung up after an action; undefined if the flow continues. */
function causeAfter(
  { action, params = {}, continue: goesOn = true }: CallAction,
  { caller }: NodeTrial,
): string | undefined {
  if (action === 'hangup' || action === 'disconnect') return hangupCause(params)
  return goesOn ? undefined : caller.causeAtEnd
}
