import Type from 'typebox'
import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Recording } from './recording.entity.js'
import { RecordingShape, recordingQuery } from './recording.schema.js'
import type { RecordingService } from './recording.service.js'
import { expiryOf } from './retention.js'
import type { Retention } from './retention.js'

const tag = 'Recordings'
const read = apiKey('any')
const write = apiKey('full')

export function recordingEndpoints({
  recordings,
  retention,
}: {
  recordings: RecordingService
  retention: Retention
}) {
  const presented = async (workspace: Owner, recording: Recording) =>
    present(recording, await retention.daysOf(workspace))
  return [
    endpoint({
      method: 'GET',
      path: '/recordings',
      summary: 'List recordings and voicemail',
      tag,
      auth: read,
      query: recordingQuery,
      response: { 200: listOf(RecordingShape) },
      handler: async ({ workspace, query }) => {
        const days = await retention.daysOf(workspace)
        return listAnswer(query, await recordings.list(workspace, query), (row) => present(row, days))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/calls/:id/recordings',
      summary: 'List what was recorded of a call',
      tag,
      auth: read,
      params: idParams,
      query: listQuery({ limit: 20, sort: ['created_at'] }),
      response: { 200: listOf(RecordingShape) },
      errors: { 404: 'No such call' },
      handler: async ({ workspace, params, query }) => {
        const days = await retention.daysOf(workspace)
        const found = await recordings.listOfCall(workspace, params.id, query)
        return listAnswer(query, found, (row) => present(row, days))
      },
    }),
    endpoint({
      method: 'GET',
      path: '/recordings/:id',
      summary: 'Show a recording',
      tag,
      auth: read,
      params: idParams,
      response: { 200: RecordingShape },
      errors: { 404: 'No such recording' },
      handler: async ({ workspace, params }) =>
        presented(workspace, await recordings.get(workspace, params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/recordings/:id/content',
      audited: 'recording.read',
      summary: 'Download a recording',
      description:
        'WAV or MP3, as its `format` says; whole, or the one range of bytes that `Range` asks for.',
      tag,
      auth: read,
      params: idParams,
      response: { 200: Type.String({ format: 'binary', contentMediaType: 'audio/*' }) },
      errors: {
        404: 'No such recording',
        409: 'It is not ready, or has failed',
        416: 'The range is not within the file',
        503: 'The storage cannot be reached',
      },
      handler: async ({ workspace, params }) => recordings.content(workspace, params.id),
    }),
    endpoint({
      method: 'POST',
      path: '/recordings/:id/pause',
      drivesCalls: 'recording',
      summary: 'Record silence in place of what is said',
      tag,
      auth: write,
      params: idParams,
      response: { 200: RecordingShape },
      errors: { 400: 'It is not being recorded', 404: 'No such recording', 503: 'The switch is not reached' },
      handler: async ({ workspace, params }) =>
        presented(workspace, await recordings.setPaused(workspace, params.id, true)),
    }),
    endpoint({
      method: 'POST',
      path: '/recordings/:id/resume',
      drivesCalls: 'recording',
      summary: 'Go on with a paused recording',
      tag,
      auth: write,
      params: idParams,
      response: { 200: RecordingShape },
      errors: { 400: 'It is not being recorded', 404: 'No such recording', 503: 'The switch is not reached' },
      handler: async ({ workspace, params }) =>
        presented(workspace, await recordings.setPaused(workspace, params.id, false)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/recordings/:id',
      summary: 'Delete a recording',
      tag,
      auth: write,
      params: idParams,
      response: { 200: RecordingShape },
      errors: { 404: 'No such recording', 409: 'It is being recorded' },
      handler: async ({ workspace, params }) =>
        presented(workspace, await recordings.delete(workspace, params.id)),
    }),
  ]
}

function present(recording: Recording, retentionDays: number | null) {
  const { id, workspace_id, call_id, kind, status, format, channels, error } = recording
  const { from_number, to_number, duration_ms, size_bytes, created_at, ended_at } = recording
  return {
    ...{ id, workspace_id, call_id, kind, status, format, channels },
    from: from_number,
    to: to_number,
    duration: duration_ms === null ? null : duration_ms / 1000,
    size: size_bytes,
    error,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    expires_at: expiryOf(created_at, retentionDays)?.toISOString() ?? null,
  }
}
