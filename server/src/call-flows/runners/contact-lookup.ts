import type { CallbackServer } from '../../callbacks/callback-client.js'
import type { ContactLookup } from '../../callbacks/contact-lookup.js'
import { callbackDetails } from '../../callbacks/timeline.js'
import { contactVariable } from '../contact-variable.js'
import { withContact } from '../flow-state.js'
import { callbackCall } from './callback-call.js'
import type { NodeRunner } from './node-runner.js'

/** Looks up the caller; the people who get the call see the name. */
export function contactLookupRunner(lookup: ContactLookup): NodeRunner {
  return async ({ node, state, host, context, signal }) => {
    const { url, headers = {} } = node.params as Partial<CallbackServer>
    const result = await lookup.find(callbackCall(host, state), url === undefined ? null : { url, headers })
    if (result.exchange) {
      const failed = result.outcome === 'error' ? result.failure : null
      host.note(
        'call.callback',
        callbackDetails('contact_lookup', result.exchange, failed, { node: node.id }),
      )
    }
    if (result.outcome !== 'found' || signal.aborted) return { outcome: result.outcome }
    const { name, data, json } = result.contact
    await context.line.setText(contactVariable, data)
    if (name !== null) await host.nameCaller(name)
    return { outcome: 'found', state: withContact(state, json, name), details: { contact_name: name } }
  }
}
