import type { CallService } from '../../calls/api/call.service.js'
import { apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../../infrastructure/http/lists.js'
import { idParams } from '../../../infrastructure/http/shapes.js'
import type { SessionStore } from '../../voice-agent-sessions/session-store.js'
import {
  CallDialogueShape,
  TranscriptQuery,
  presentDialogue,
} from '../../voice-agent-sessions/session.schema.js'

export function transcriptEndpoints({ calls, sessions }: { calls: CallService; sessions: SessionStore }) {
  return [
    endpoint({
      method: 'GET',
      path: '/calls/:id/transcript',
      audited: 'transcript.read',
      summary: 'Read what was said with voice agents in a call',
      tag: 'Calls',
      auth: apiKey('any'),
      params: idParams,
      query: TranscriptQuery,
      response: { 200: listOf(CallDialogueShape) },
      errors: { 404: 'No such call' },
      handler: async ({ workspace, params, query }) => {
        const call = await calls.get(workspace, params.id)
        return listAnswer(query, await sessions.dialogueOf(call, query), presentDialogue)
      },
    }),
  ]
}
