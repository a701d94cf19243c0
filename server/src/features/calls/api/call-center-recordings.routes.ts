/** Recordings of calls as the agents in them see and pause them. */
import Type from 'typebox'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { type AgentActor, agent, endpoint } from '../../../infrastructure/http/endpoint.js'
import { forbidden, notFound } from '../../../infrastructure/http/errors.js'
import { listAnswer, listOf, pageQuery } from '../../../infrastructure/http/lists.js'
import { Id, idParams } from '../../../infrastructure/http/shapes.js'
import type { Recording } from '../../recordings/recording.entity.js'
import type { RecordingService } from '../../recordings/recording.service.js'
import { OwnCallRecordingShape } from './call-center.schema.js'
import type { CallHistory } from './call-history.js'
import type { CallRecordingRights } from './call-recording-rights.js'

const tag = 'Call centre'

interface Services {
  history: CallHistory
  recordings: RecordingService
  rights: CallRecordingRights
}

export function callCenterRecordingEndpoints({ history, recordings, rights }: Services) {
  const recordingOf = async (
    workspace: Owner,
    { id, recording_id }: { id: string; recording_id: string },
    actor: AgentActor,
  ): Promise<Recording> => {
    const call = await history.get(workspace, id, actor)
    const recording = await recordings.get(workspace, recording_id)
    if (recording.call_id !== call.id) throw notFound(`Recording ${recording_id} not found`)
    return recording
  }
  const pausing = (isPaused: boolean) =>
    endpoint({
      method: 'POST',
      path: `/call-center/calls/:id/recordings/:recording_id/${isPaused ? 'pause' : 'resume'}`,
      drivesCalls: 'call',
      summary: isPaused
        ? 'Record silence in place of what is said in your call'
        : 'Resume a paused recording of your call',
      description:
        'For the agents in the call, unless the workspace keeps it to others (`agents_pause_recordings`), and for leaders and supervisors of their teams.',
      tag,
      auth: agent(),
      params: Type.Object({ id: Id(), recording_id: Id() }),
      response: { 200: OwnCallRecordingShape },
      errors: {
        400: 'It is not being recorded',
        403: 'The agent may not',
        404: 'No such call or recording, or not one that the agent may see',
        503: 'The switch is not reached',
      },
      handler: async ({ workspace, actor, params }) => {
        const { id } = await recordingOf(workspace, params, actor)
        if (!(await rights.mayPause(workspace, params.id, actor))) {
          throw forbidden('You may not pause the recording of this call')
        }
        return present(await recordings.setPaused(workspace, id, isPaused, actor.id), true)
      },
    })
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/calls/:id/recordings',
      summary: 'List what was and is recorded of a call that you may see',
      tag,
      auth: agent(),
      params: idParams,
      query: pageQuery(20),
      response: { 200: listOf(OwnCallRecordingShape) },
      errors: { 404: 'No such call, or not one that the agent may see' },
      handler: async ({ workspace, actor, params, query }) => {
        const { id } = await history.get(workspace, params.id, actor)
        const [found, mayPause] = await Promise.all([
          recordings.listOfCall(workspace, id, {
            ...query,
            sort_field: 'created_at',
            sort_order: 'desc',
          }),
          rights.mayPause(workspace, id, actor),
        ])
        return listAnswer(query, found, (row) => present(row, mayPause))
      },
    }),
    pausing(true),
    pausing(false),
  ]
}

function present(
  { id, kind, status, format, channels, duration_ms, created_at }: Recording,
  mayPause: boolean,
) {
  const isRunning = status === 'recording' || status === 'paused'
  return {
    ...{ id, kind, status, format, channels },
    duration: duration_ms === null ? null : duration_ms / 1000,
    created_at: created_at.toISOString(),
    may_pause: isRunning && kind === 'call' && mayPause,
  }
}
