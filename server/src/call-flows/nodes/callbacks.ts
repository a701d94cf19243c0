/** Nodes that ask the customer's own server, or send something. */
import Type from 'typebox'
import { patterned, reference, wellFormed } from '../../http/shapes.js'
import { internationalNumber } from '../../phone-numbers/e164.js'
import { CallbackUrl as Url, callbackUrlProblems as urlProblems } from '../../calls/actions/shared-params.js'
import { node, nodeProblem } from './node-type.js'

/** Finds out who calls: from the customer's server, or from the workspace's contacts. */
export const contactLookupNode = node({
  type: 'contact_lookup',
  params: Type.Object({ url: Type.Optional(Url) }),
  outcomes: ['found', 'not_found', 'error'],
  check: (_workspace, { params }) => urlProblems('params.url', params.url),
})

/** Asks the customer's server for call actions, and runs them. */
export const jsonCallActionNode = node({
  type: 'json_call_action',
  params: Type.Object({ url: Url }),
  outcomes: ['completed', 'error'],
  check: (_workspace, { params }) => urlProblems('params.url', params.url),
})

export const sendMessageNode = node({
  type: 'send_message',
  params: Type.Object({
    from: reference(
      'phone_number',
      patterned('^\\+?[1-9][0-9]{6,14}$', 'a number of this workspace in E.164'),
    ),
    to: Type.Optional(
      Type.String({ minLength: 7, maxLength: 16, description: 'E.164; the caller by default' }),
    ),
    body: Type.String({ minLength: 1, maxLength: 1600, pattern: wellFormed, 'x-rule': 'a well-formed text' }),
  }),
  outcomes: ['sent', 'failed'],
  check(_workspace, { params: { to } }) {
    if (to === undefined || internationalNumber(to)) return []
    return [nodeProblem('params.to', 'is not a possible E.164 number')]
  },
})
