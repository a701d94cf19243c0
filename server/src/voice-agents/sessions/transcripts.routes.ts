import Type from 'typebox'
import type { CallService } from '../../calls/call.service.js'
import { apiKey, endpoint } from '../../http/endpoint.js'
import { listAnswer, listOf, maxPageSize } from '../../http/lists.js'
import { idParams } from '../../http/shapes.js'
import type { SessionStore } from './session-store.js'
import { CallDialogueShape, presentDialogue } from './session.schema.js'

export function transcriptEndpoints({ calls, sessions }: { calls: CallService; sessions: SessionStore }) {
  return [
    endpoint({
      method: 'GET',
      path: '/calls/:id/transcript',
      summary: 'Read what was said with voice agents in a call',
      tag: 'Calls',
      auth: apiKey('any'),
      params: idParams,
      query: Type.Object({
        page: Type.Integer({ minimum: 1, maximum: 1_000, default: 1 }),
        limit: Type.Integer({ minimum: 1, maximum: maxPageSize, default: 50 }),
      }),
      response: { 200: listOf(CallDialogueShape) },
      errors: { 404: 'No such call' },
      handler: async ({ workspace, params, query }) => {
        const call = await calls.get(workspace, params.id)
        return listAnswer(query, await sessions.dialogueOf(call, query), presentDialogue)
      },
    }),
  ]
}
