import { byCreation, exportEndpoint } from '../../infrastructure/csv/csv-endpoints.js'
import { apiKey, endpoint, writerRoles } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { Deletions } from '../retention/deletions.js'
import { messageCells } from './message-csv.js'
import {
  ListedMessageShape,
  MessageDetailShape,
  MessageShape,
  SendMessage,
  messageQuery,
} from './message.schema.js'
import type { MessageService } from './message.service.js'

const tag = 'Messages'
const read = apiKey('any')
const write = apiKey('any', writerRoles)

/** Who an API key's messages are from. */
const system = { type: 'system', id: null } as const

interface Services {
  messages: MessageService
  deletions: Pick<Deletions, 'message'>
}

export function messageEndpoints({ messages, deletions }: Services) {
  return [
    endpoint({
      method: 'POST',
      path: '/messages/send',
      summary: 'Send an SMS or MMS',
      description:
        'The message is stored before the answer, and submitted to a carrier at once. Events report its progress.',
      tag,
      auth: write,
      tier: 'sms',
      body: SendMessage,
      idempotent: true,
      response: { 201: MessageShape },
      errors: {
        403: 'A country that may not be reached',
        409: 'The Idempotency-Key was used for another request',
      },
      handler: async ({ workspace, body, idempotencyKey }) =>
        messages.send(workspace, system, body, idempotencyKey),
    }),
    endpoint({
      method: 'GET',
      path: '/messages',
      summary: 'List messages',
      tag,
      auth: read,
      query: messageQuery,
      response: { 200: listOf(ListedMessageShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await messages.list(workspace, query), (message) => message),
    }),
    // Its path would match /messages/:id, too.
    exportEndpoint({
      ...{ path: '/messages', tag, plural: 'messages', audited: 'message', isRecord: true },
      ...{ query: messageQuery, cells: messageCells },
      cursorOf: byCreation,
      list: async (workspace, query) => messages.list(workspace, query),
    }),
    endpoint({
      method: 'GET',
      path: '/messages/:id',
      summary: 'Show a message',
      tag,
      auth: read,
      params: idParams,
      response: { 200: MessageDetailShape },
      errors: { 404: 'No such message' },
      handler: async ({ workspace, params }) => messages.get(workspace, params.id),
    }),
    endpoint({
      method: 'DELETE',
      path: '/messages/:id',
      summary: 'Delete a message',
      description: 'With its files. What it cost stays in the ledger and in the usage.',
      tag,
      auth: write,
      params: idParams,
      response: { 200: MessageDetailShape },
      errors: { 404: 'No such message', 409: 'It is on its way' },
      handler: async ({ workspace, params }) => {
        const message = await messages.get(workspace, params.id)
        await deletions.message(workspace, params.id)
        return message
      },
    }),
  ]
}
