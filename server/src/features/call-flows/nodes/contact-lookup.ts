import Type from 'typebox'
import { type Found, contactInside, readContact } from '../../callbacks/contact-lookup.js'
import { callbackDetails } from '../../callbacks/timeline.js'
import { CallbackHeaders, CallbackUrl } from '../../calls/script/actions/shared-params.js'
import { contactVariable } from '../contact-variable.js'
import { withContact } from '../flow-state.js'
import type { NodeTrial } from './node-trial.js'
import { callbackCall, checkServer } from './customer-server.js'
import { flowNode } from './flow-node.js'

/** Looks up the caller, at the customer's server or in the workspace's contacts; who gets the call sees the name. */
export const contactLookup = flowNode({
  type: 'contact_lookup',
  group: 'services',
  summary: 'Looks up the caller, at your server or in the contacts of the workspace',
  params: Type.Object({ url: Type.Optional(CallbackUrl), headers: Type.Optional(CallbackHeaders) }),
  outcomes: ['found', 'not_found', 'error'],
  check: checkServer,
  async run({ params: { url, headers = {} }, node, state, host, context, signal, services }) {
    const server = url === undefined ? null : { url, headers }
    const result = await services.contactLookup.find(callbackCall(host, state), server)
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
  },
  async simulate({ params: { url }, trial, given, details }) {
    if (given !== undefined && given !== 'found') return { outcome: given, details }
    const result = await callerInTrial(trial, url === undefined)
    if (result.outcome === 'found') {
      const { json, name } = result.contact
      const state = withContact(trial.state, json, name)
      return { outcome: 'found', details: { ...details, contact_name: name }, state }
    }
    const problem = result.outcome === 'error' && { problem: result.failure.message }
    return { outcome: given ?? result.outcome, details: { ...details, ...problem } }
  },
})

/** The contact that the trial gives, or that the workspace has; no server is asked. */
async function callerInTrial(
  { request, services, workspace, state }: NodeTrial,
  isInside: boolean,
): Promise<Found> {
  if (request.contact) return readContact(JSON.stringify(request.contact), request.contact)
  if (request.contact === null || !isInside) return { outcome: 'not_found' }
  return contactInside(services.contacts, { workspace, caller_number: state.caller_number })
}
