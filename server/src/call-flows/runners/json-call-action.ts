import type { CallbackServer } from '../../callbacks/callback-client.js'
import type { JsonCallAction } from '../../callbacks/json-call-action.js'
import { callbackDetails } from '../../callbacks/timeline.js'
import { completed } from '../../calls/script.js'
import { contactVariable } from '../contact-variable.js'
import { nextNode } from '../decisions/edges.js'
import { callbackCall } from './callback-call.js'
import type { NodeRunner } from './node-runner.js'

/** Asks the customer's server what to do, and does it; what it answered is kept with the call before it begins. */
export function jsonCallActionRunner(asking: JsonCallAction): NodeRunner {
  return async ({ node, state, host, context, signal }) => {
    const isLast = nextNode(node, completed) === null
    const isBegun = host.call.script_node === node.id
    if (isBegun) {
      await host.runSubscript(node.id, null, signal, isLast)
      return { outcome: 'completed' }
    }
    const { url, headers = {} } = node.params as unknown as CallbackServer
    const contactData = state.contact && (await context.line.text(contactVariable))
    const answer = await asking.ask(callbackCall(host, state), { url, headers }, contactData)
    const failed = answer.ok ? null : answer
    const extra = { node: node.id, ignored: answer.ok ? answer.ignored : [] }
    host.note('call.callback', callbackDetails('json_call_action', answer.exchange, failed, extra))
    if (!answer.ok || signal.aborted) return { outcome: 'error' }
    if (answer.actions.length > 0) await host.runSubscript(node.id, answer.actions, signal, isLast)
    return { outcome: 'completed' }
  }
}
