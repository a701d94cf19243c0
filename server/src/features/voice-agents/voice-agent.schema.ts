import Type, { type Static } from 'typebox'
import { LastEvaluationShape } from './evaluations/evaluations.schema.js'
import { Id, Timestamp, Title, nullable, wellFormed } from '../../infrastructure/http/shapes.js'

/** Text of several lines, counted in characters. */
function Text(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: wellFormed, 'x-rule': 'well-formed text' })
}

/** No version has a higher number. */
const maxVersion = 999_999_999

const version = Type.Integer({ minimum: 1, maximum: maxVersion })
const modelId = Title(1, 100)
const voiceId = nullable(Title(1, 100))
/** Of OpenAI's models; the column holds two decimals. */
const temperature = Type.Number({
  minimum: 0,
  maximum: 2,
  'x-decimals': 2,
  description: 'How freely it speaks',
})

/** One of a few words, or null. */
function wordOrNull<const T extends string>(words: readonly T[], description: string) {
  return Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...words, null], description })
}

const turns = {
  turn_detection: wordOrNull(
    ['server_vad', 'semantic_vad'],
    'When a caller’s turn is over: after a time of silence, or when what they said is complete; null: as the provider does it',
  ),
  turn_eagerness: wordOrNull(
    ['low', 'medium', 'high', 'auto'],
    'With `semantic_vad`: how soon an unfinished sentence is answered all the same',
  ),
  turn_threshold: nullable(
    Type.Number({
      ...{ minimum: 0, maximum: 1, 'x-decimals': 2 },
      description: 'How sure it must be that somebody speaks; null: 0.5',
    }),
  ),
  turn_silence_ms: nullable(
    Type.Integer({
      ...{ minimum: 200, maximum: 5000 },
      description: 'Silence after which a turn may be over; null: 600 (a chain) or 500 (realtime)',
    }),
  ),
  interruption_ms: nullable(
    Type.Integer({
      ...{ minimum: 0, maximum: 5000 },
      description: 'Of a chain: speech that stops the voice agent while it talks; null: 500',
    }),
  ),
  ignore_backchannels: Type.Boolean({
    description: 'Of a chain: words such as “uh huh” do not stop the voice agent',
  }),
}

/** What it speaks, beside its voice. */
const manners = {
  language: nullable(
    Type.String({
      ...{
        maxLength: 35,
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$',
        'x-rule': 'a language tag such as de or pt-BR',
      },
      description:
        'What the caller and the voice agent speak (BCP 47): a hint for transcripts; null: the language of its greeting and instructions',
    }),
  ),
  enable_dtmf: Type.Boolean({ description: 'Whether the voice agent gets the keys that the caller presses' }),
  tool_delay_message: nullable(
    Type.Unsafe<string>({
      ...Text(0, 250),
      description: 'Said while a tool takes long; null: “One moment, please.” in its language, "": nothing',
    }),
  ),
}

/** One version of a voice agent. */
const VoiceAgentSettingsShape = Type.Object(
  {
    id: Type.String(),
    voice_agent_id: Type.String(),
    workspace_id: Type.String(),
    provider: Type.String({ description: 'The provider of the model' }),
    model_id: Type.String(),
    voice_id: nullable(Type.String({ description: 'null: the default voice' })),
    greeting_message: Type.String(),
    instructions: Type.String(),
    temperature: Type.Number(),
    enable_noise_reduction: Type.Boolean(),
    ...turns,
    ...manners,
    max_call_duration_seconds: Type.Integer(),
    tools_id: Type.Array(Type.String(), { description: 'Enabled tools' }),
    version: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'VoiceAgentSettings' },
)

export const VoiceAgentShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    workspace_id: Type.String(),
    country_code: Type.String({ description: 'The workspace’s' }),
    published_version: nullable(Type.Integer({ description: 'null: none' })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'VoiceAgent' },
)

export const VoiceAgentDetailShape = Type.Object(
  { ...VoiceAgentShape.properties, settings: VoiceAgentSettingsShape },
  { title: 'VoiceAgentDetail' },
)

/** Shows the result of its last evaluation to the person who publishes a version; absent without an evaluation. */
const evaluated = { last_evaluation: Type.Optional(LastEvaluationShape) }

export const EvaluatedDetailShape = Type.Object(
  { ...VoiceAgentDetailShape.properties, ...evaluated },
  { title: 'EvaluatedVoiceAgentDetail' },
)

export const VoiceAgentVersionShape = Type.Object(
  { version: Type.Integer(), updated_at: Timestamp },
  { title: 'VoiceAgentVersion' },
)

export const EvaluatedVersionShape = Type.Object(
  { ...VoiceAgentVersionShape.properties, ...evaluated },
  { title: 'EvaluatedVoiceAgentVersion' },
)

export const OfferShape = Type.Object(
  {
    id: Type.String(),
    provider: Type.String({ description: 'Its provider' }),
    name: Type.String(),
    languages: Type.Array(Type.String(), { description: 'BCP 47 tags; empty: not tied to any' }),
  },
  { title: 'Offer' },
)

/** Which version's settings a voice agent is shown with. */
export const VersionQuery = Type.Object({ version: Type.Optional(version) })

export const versionParams = Type.Object({ id: Id(), version })

export const CreateVoiceAgent = Type.Object({
  name: Title(3, 30),
  instructions: Text(10, 3500),
  conversation: Type.Optional(Title(1, 255)),
  response_id: Type.Optional(Title(1, 255)),
})
export type CreateVoiceAgent = Static<typeof CreateVoiceAgent>

export const UpdateVoiceAgent = Type.Object({ name: Type.Optional(Title(3, 30)) })
export type UpdateVoiceAgent = Static<typeof UpdateVoiceAgent>

/** At most this many tools can be named: more than a voice agent can have. */
const maxFunctions = 1000

export const UpdateSettings = Type.Object({
  version,
  greeting_message: Type.Optional(Text(0, 250)),
  instructions: Type.Optional(Text(10, 3500)),
  model_id: Type.Optional(modelId),
  voice_id: Type.Optional(voiceId),
  temperature: Type.Optional(temperature),
  enable_noise_reduction: Type.Optional(Type.Boolean()),
  ...Type.Partial(Type.Object({ ...turns, ...manners })).properties,
  max_call_duration_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 1800 })),
  functions: Type.Optional(
    Type.Array(Id(), {
      maxItems: maxFunctions,
      uniqueItems: true,
      description: 'Ids of the tools to enable',
    }),
  ),
})
export type UpdateSettings = Static<typeof UpdateSettings>

/** The version to talk with. */
export const TalkWith = Type.Object({ version: Type.Optional(version) })

export const PublishVersion = Type.Object({ version })
