import { createHash } from 'node:crypto'
import { ApiError } from '../../http/errors.js'
import { maxBodyLength } from '../../messages/message.schema.js'
import type { MessageService } from '../../messages/message.service.js'
import { fillIn, firstOf } from '../decisions/subjects.js'
import type { SendMessageParams } from '../nodes/callbacks.js'
import type { NodeRunner } from './node-runner.js'

/**
 * Sends a text, once for each call, node and text, also if a process that recovers the call runs the node again.
 * @param messages sends with no agent as the author
 */
export function sendMessageRunner(messages: Pick<MessageService, 'send'>): NodeRunner {
  return async ({ node, state, host: { call } }) => {
    const { from, to = whoIsOutside(call), body } = node.params as SendMessageParams
    const message = { from, to, body: firstOf(fillIn(body, state), maxBodyLength) }
    const digest = createHash('sha256')
      .update(JSON.stringify([node.id, message]))
      .digest('hex')
    const key = `flow ${call.id} ${digest}`
    try {
      const sender = { type: 'system', id: null } as const
      const { id } = await messages.send({ id: call.workspace_id }, sender, message, key)
      return { outcome: 'sent', details: { message_id: id } }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { outcome: 'failed', details: { problem: error.message } }
    }
  }
}

function whoIsOutside(call: { direction: string; from_number: string; to_number: string }): string {
  return call.direction === 'inbound' ? call.from_number : call.to_number
}
