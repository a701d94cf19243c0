import { createHash } from 'node:crypto'
import Type from 'typebox'
import type { Call } from '../../calls/model/call.entity.js'
import { ApiError } from '../../../infrastructure/http/errors.js'
import { type FieldHint, patterned, reference } from '../../../infrastructure/http/shapes.js'
import { maxBodyLength } from '../../messages/message.schema.js'
import { notANumber } from '../../phone-numbers/workspace-numbers.js'
import { TextWithSubjects, fillIn, firstOf, placeholderProblems } from '../subjects.js'
import { flowNode } from './flow-node.js'

/** With no agent as the author. */
const sender = { type: 'system', id: null } as const

/** Sends a text, once for each call, node and text, also if a process that recovers the call runs the node again. */
export const sendMessage = flowNode({
  type: 'send_message',
  group: 'services',
  summary: 'Sends a text message',
  params: Type.Object({
    from: reference(
      'phone_number',
      patterned('^\\+?[0-9]{7,20}$', 'a number of this workspace', {
        description: 'Number of the workspace to send from',
      }),
    ),
    to: Type.Optional(
      Type.String({
        minLength: 7,
        maxLength: 21,
        description:
          'Recipient, in E.164 or as people of the workspace’s country dial it; by default the other party of the call',
        'x-field': { telephone: true } satisfies FieldHint,
      }),
    ),
    body: TextWithSubjects('Text', { kind: 'text', minLength: 1, maxLength: maxBodyLength }),
  }),
  outcomes: ['sent', 'failed'],
  async check(workspace, { params: { to, body } }, { numbers }) {
    const problems = placeholderProblems('params.body', body)
    if (to === undefined || (await numbers.read(workspace, to))) return problems
    return [{ field: 'params.to', messages: [notANumber('params.to')] }, ...problems]
  },
  async run({ params: { from, to, body }, node, state, host: { call }, services: { messages } }) {
    const text = firstOf(fillIn(body, state), maxBodyLength)
    const message = { from, to: to ?? numberOutside(call), body: text }
    const digest = createHash('sha256')
      .update(JSON.stringify([node.id, message]))
      .digest('hex')
    const key = `flow ${call.id} ${digest}`
    try {
      const { id } = await messages.send({ id: call.workspace_id }, sender, message, key)
      return { outcome: 'sent', details: { message_id: id } }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { outcome: 'failed', details: { problem: error.message } }
    }
  },
  simulate({ params: { body }, trial, given, details }) {
    return { outcome: given ?? 'sent', details: { ...details, body: fillIn(body, trial.state) } }
  },
})

function numberOutside(call: Pick<Call, 'direction' | 'from_number' | 'to_number'>): string {
  return call.direction === 'inbound' ? call.from_number : call.to_number
}
