/** Nodes that ask the customer's own server, or send something. */
import Type, { type Static } from 'typebox'
import type { ActionServices } from '../../calls/actions/action.js'
import type { Owner } from '../../database/workspace-table.js'
import type { FieldProblem } from '../../http/errors.js'
import { patterned, reference, wellFormed } from '../../http/shapes.js'
import { internationalNumber } from '../../phone-numbers/e164.js'
import {
  CallbackHeaders as Headers,
  CallbackUrl as Url,
  callbackProblems,
} from '../../calls/actions/shared-params.js'
import { maxBodyLength } from '../../messages/message.schema.js'
import { placeholderProblems } from './decisions.js'
import { inParams, node, nodeProblem } from './node-type.js'

/** Looks up the caller, at the customer's server or in the workspace's contacts. */
export const contactLookupNode = node({
  type: 'contact_lookup',
  summary: 'Looks up the caller, at your server or in the contacts of the workspace',
  params: Type.Object({ url: Type.Optional(Url), headers: Type.Optional(Headers) }),
  outcomes: ['found', 'not_found', 'error'],
  check: checkServer,
})

/** Asks the customer's server for call actions, and runs them. */
export const jsonCallActionNode = node({
  type: 'json_call_action',
  summary: 'Asks your server for call actions and runs them',
  params: Type.Object({ url: Url, headers: Type.Optional(Headers) }),
  outcomes: ['completed', 'error'],
  check: checkServer,
})

const SendMessageParams = Type.Object({
  from: reference(
    'phone_number',
    patterned('^\\+?[1-9][0-9]{6,14}$', 'a number of this workspace in E.164', {
      description: 'Number of the workspace to send from',
    }),
  ),
  to: Type.Optional(
    Type.String({
      minLength: 7,
      maxLength: 16,
      description: 'Recipient in E.164; by default the other party of the call',
    }),
  ),
  body: Type.String({
    minLength: 1,
    maxLength: maxBodyLength,
    pattern: wellFormed,
    'x-rule': 'a well-formed text',
    description: 'Text; may hold subjects of conditions, as {{caller_number}}',
  }),
})
export type SendMessageParams = Static<typeof SendMessageParams>

export const sendMessageNode = node({
  type: 'send_message',
  summary: 'Sends a text message',
  params: SendMessageParams,
  outcomes: ['sent', 'failed'],
  check(_workspace, { params: { to, body } }) {
    const problems = placeholderProblems('params.body', body)
    if (to === undefined || (to.startsWith('+') && internationalNumber(to))) return problems
    return [nodeProblem('params.to', 'is not a possible E.164 number'), ...problems]
  },
})

function checkServer(
  _workspace: Owner,
  { params }: { params: Readonly<Record<string, unknown>> },
  services: ActionServices,
): FieldProblem[] {
  return inParams(callbackProblems({ url: 'url', headers: 'headers' }, params, services))
}
