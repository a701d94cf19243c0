/** Voicemails as agents see them. */
import Type, { type Static } from 'typebox'
import { pageQuery } from '../../infrastructure/http/lists.js'
import { Timestamp, nullable } from '../../infrastructure/http/shapes.js'
import { OwnCallShape } from '../calls/api/call-center.schema.js'
import { CallAgentShape } from '../calls/model/call.schema.js'
import { RecordingShape } from '../recordings/recording.schema.js'

export const VoicemailQuery = Type.Object({
  ...pageQuery(20).properties,
  state: Type.Enum(['new', 'open', 'done', 'all'], {
    default: 'open',
    description: '`new`: not heard yet; `open`: not done yet, heard or not',
  }),
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Looks at the names and numbers of both sides, and at the transcript',
    }),
  ),
})
export type VoicemailQuery = Static<typeof VoicemailQuery>

const { status, format } = RecordingShape.properties

export const WaitingShape = Type.Object(
  {
    missed_calls: Type.Integer({ description: 'Missed calls that are not handled' }),
    voicemails: Type.Integer({ description: 'Voicemails that are not heard' }),
  },
  { title: 'WaitingCounts' },
)

export const VoicemailShape = Type.Object(
  {
    id: Type.String({ description: 'Of its recording' }),
    call: OwnCallShape,
    ...{ status, format },
    duration: nullable(Type.Number({ description: 'Seconds' })),
    transcript: nullable(
      Type.String({
        description: 'What was said, where a provider has speech to text; it comes a while later',
      }),
    ),
    created_at: Timestamp,
    heard_at: nullable(Timestamp),
    heard_by: nullable(CallAgentShape),
    done_at: nullable(Timestamp),
    done_by: nullable(CallAgentShape),
  },
  { title: 'Voicemail' },
)
