import Type, { type Static } from 'typebox'
import { maxUrlLength } from '../../infrastructure/http-client/urls.js'
import { Title, nullable } from '../../infrastructure/http/shapes.js'

const baseUrl = (description: string) =>
  Type.String({
    ...{ maxLength: maxUrlLength, pattern: '^[!-~]+$', 'x-rule': 'a URL of printable ASCII' },
    description,
  })

/** A key as it goes into a header; null: the server asks for none. */
export const ApiKeyText = Type.String({
  ...{ pattern: '^[!-~]{1,4096}$', 'x-rule': '1 to 4096 visible ASCII characters' },
  description: 'Stored encrypted and never shown',
})

const orNone = (description: string) =>
  nullable(Type.Unsafe<string>({ ...Title(1, 100), default: null, description }))

/** The visible settings of a server with OpenAI's Realtime protocol. */
const realtime = {
  base_url: baseUrl(
    'ws, wss, http or https, with the version: `https://api.openai.com/v1`. `/realtime` is beneath it.',
  ),
  protocol: Type.Enum(['ga', 'beta'], {
    default: 'ga',
    description: 'The protocol as it is, or that of before August 2025, which many servers speak',
  }),
  transcription_model: orNone('Writes down what callers say; null: that is not asked for'),
  text_model: orNone(
    'Writes instructions and plays callers in evaluations, over /chat/completions; null: none',
  ),
  text_base_url: nullable(
    Type.Unsafe<string>({
      ...baseUrl('Where it is; null: at the base URL'),
      default: null,
    }),
  ),
}
export const RealtimeSettingsShape = Type.Object(realtime, { title: 'RealtimeProviderSettings' })

const service = {
  base_url: baseUrl('http or https, with the version: `http://10.0.0.5:8000/v1`'),
  model: Title(1, 100),
}
const chatService = {
  ...service,
  model: orNone('null: the model that the voice agent names'),
}

/** Sample rates that are converted. */
const sampleRates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

const speechService = {
  ...service,
  voice: Type.Unsafe<string>({
    ...Title(1, 100),
    default: 'alloy',
    description: 'The default voice of voice agents',
  }),
  sample_rate: Type.Unsafe<number>({
    ...{ type: 'integer', enum: sampleRates, default: 24_000 },
    description: 'Of its raw answers, in Hz: 24000 of OpenAI and Kokoro, often 22050 of Piper',
  }),
}

/** The visible settings of a chain of three servers with OpenAI's HTTP API. */
export const CascadedSettingsShape = Type.Object(
  {
    speech_to_text: Type.Object(service, { description: '/audio/transcriptions is beneath its base URL' }),
    chat: Type.Object(chatService, { description: '/chat/completions is beneath its base URL' }),
    text_to_speech: Type.Object(speechService, { description: '/audio/speech is beneath its base URL' }),
  },
  { title: 'CascadedProviderSettings' },
)

const key = { api_key: nullable(Type.Unsafe<string>({ ...ApiKeyText, default: null })) }

/** All of them, with keys and defaults. */
export const RealtimeInput = Type.Object({ ...realtime, ...key })
export type RealtimeInput = Static<typeof RealtimeInput>

export const CascadedInput = Type.Object({
  speech_to_text: Type.Object({ ...service, ...key }),
  chat: Type.Object({ ...chatService, ...key }),
  text_to_speech: Type.Object({ ...speechService, ...key }),
})
export type CascadedInput = Static<typeof CascadedInput>
