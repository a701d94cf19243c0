import Type from 'typebox'
import { agent, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { presentOwnCall } from '../calls/api/present-call.js'
import type { MissedCalls } from '../calls/api/missed-calls.js'
import type { RecordingService, VoicemailMark } from '../recordings/recording.service.js'
import { VoicemailQuery, VoicemailShape, WaitingShape } from './voicemail.schema.js'
import type { Voicemail, VoicemailService } from './voicemail.service.js'

const tag = 'Call centre'
const errors = { 404: 'No such voicemail of the agent or their teams' }

interface Services {
  voicemails: VoicemailService
  recordings: Pick<RecordingService, 'content'>
  missedCalls: Pick<MissedCalls, 'countOpen'>
}

export function voicemailEndpoints({ voicemails, recordings, missedCalls }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/waiting',
      summary: 'Count what waits for the agent',
      tag,
      auth: agent(),
      response: { 200: WaitingShape },
      handler: async ({ workspace, actor }) => {
        const [missed, unheard] = await Promise.all([
          missedCalls.countOpen(workspace, actor.id),
          voicemails.countNew(workspace, actor),
        ])
        return { missed_calls: missed, voicemails: unheard }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/voicemails',
      summary: 'List voicemails',
      description:
        'Those for the agent and their teams, newest first. Leaders and supervisors also see those that were for no agent and no team.',
      tag,
      auth: agent(),
      query: VoicemailQuery,
      response: { 200: listOf(VoicemailShape) },
      handler: async ({ workspace, actor, query }) =>
        listAnswer(query, await voicemails.of(workspace, actor, query), present),
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/voicemails/:id/content',
      audited: 'recording.read',
      summary: 'Download a voicemail',
      description: 'The same answer as `GET /recordings/:id/content`.',
      tag,
      auth: agent(),
      params: idParams,
      response: { 200: Type.String({ format: 'binary', contentMediaType: 'audio/*' }) },
      errors: {
        ...errors,
        409: 'It is not ready',
        416: 'The range is not within the file',
        503: 'The storage cannot be reached',
      },
      handler: async ({ workspace, actor, params }) => {
        const { id } = await voicemails.get(workspace, actor, params.id)
        return recordings.content(workspace, id)
      },
    }),
    ...marking('heard', ['Mark a voicemail as heard', 'Mark a voicemail as not heard'], voicemails),
    ...marking('done', ['Mark a voicemail as done', 'Mark a voicemail as open again'], voicemails),
  ]
}

function marking(mark: VoicemailMark, [set, unset]: readonly [string, string], voicemails: VoicemailService) {
  return ([set, unset] as const).map((summary) =>
    endpoint({
      method: summary === set ? 'PUT' : 'DELETE',
      path: `/call-center/voicemails/:id/${mark}`,
      summary,
      tag,
      auth: agent(),
      params: idParams,
      response: { 200: VoicemailShape },
      errors,
      handler: async ({ workspace, actor, params }) =>
        present(await voicemails.mark(workspace, actor, params.id, mark, summary === set)),
    }),
  )
}

function present({ id, call, status, format, duration_ms, transcript, created_at, ...marks }: Voicemail) {
  return {
    ...{ id, call: presentOwnCall(call), status, format },
    duration: duration_ms === null ? null : duration_ms / 1000,
    transcript,
    created_at: created_at.toISOString(),
    heard_at: marks.heard_at?.toISOString() ?? null,
    heard_by: marks.heard_by,
    done_at: marks.done_at?.toISOString() ?? null,
    done_by: marks.done_by,
  }
}
