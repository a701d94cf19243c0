import Type, { type Static } from 'typebox'
import { listQuery } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, nullable } from '../../infrastructure/http/shapes.js'

const kind = Type.Enum(['call', 'voicemail'])

export const recordingQuery = Type.Object({
  ...listQuery({ limit: 20, sort: ['created_at'] }).properties,
  call_id: Type.Optional(Id({ description: 'Only those of this call' })),
  kind: Type.Optional(kind),
})
export type RecordingQuery = Static<typeof recordingQuery>

export const RecordingShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    call_id: Type.String(),
    kind,
    status: Type.Enum(['recording', 'paused', 'processing', 'ready', 'failed'], {
      description: '`processing`: converted and stored; its content is there when it is `ready`',
    }),
    format: Type.Enum(['wav', 'mp3']),
    channels: Type.Integer({
      description: '1, or 2: the recorded party on the left, what they hear on the right',
    }),
    from: Type.String(),
    to: Type.String(),
    duration: nullable(Type.Number({ description: 'Seconds' })),
    size: nullable(Type.Integer({ description: 'Bytes' })),
    error: nullable(Type.String({ description: 'Why it failed, or is not ready yet' })),
    created_at: Timestamp,
    ended_at: nullable(Timestamp),
    expires_at: nullable(
      Type.String({ format: 'date-time', description: 'When it is deleted; null: it is kept for ever' }),
    ),
  },
  { title: 'Recording' },
)
