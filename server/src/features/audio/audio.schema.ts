import Type, { type Static } from 'typebox'
import { Timestamp, Title, nullable } from '../../infrastructure/http/shapes.js'

/** Longest text that is spoken. */
const maxSpeechLength = 3_000

export const AudioShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    source: Type.Enum(['upload', 'tts']),
    text: nullable(Type.String()),
    duration: Type.Number({ description: 'Seconds' }),
    size: Type.Integer({ description: 'Bytes of the WAV file that is played' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Audio' },
)

/** Speech; a file is sent as multipart/form-data instead, with a `title` beside it. */
export const CreateAudio = Type.Object({
  title: Title(1, 64),
  text: Type.String({ minLength: 1, maxLength: maxSpeechLength }),
  voice: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  speed: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2, description: '1 is the normal speed' })),
})
export type CreateAudio = Static<typeof CreateAudio>

/** The text fields beside an uploaded file. */
export const UploadAudio = Type.Object({ title: Type.Optional(Title(1, 64)) })
export type UploadAudio = Static<typeof UploadAudio>

export const UpdateAudio = Type.Object({ title: Type.Optional(Title(1, 64)) })
export type UpdateAudio = Static<typeof UpdateAudio>
