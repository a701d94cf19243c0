/**
 * What a client may send by the OpenAI Realtime protocol, as its API reference has it (client events, of the general
 * availability and of the beta before it). Closed: a field that is not there is an error.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import Type, { type TProperties, type TSchema } from 'typebox'

export type Protocol = 'ga' | 'beta'

const Shape = (fields: TProperties) => Type.Object(fields, { additionalProperties: false })
const Event = (type: string, fields: TProperties): [string, TSchema] => [
  type,
  Shape({ type: Type.Literal(type), event_id: Type.Optional(Type.String({ maxLength: 512 })), ...fields }),
]
const OneOf = (...values: string[]) => Type.Enum(values)
const Maybe = Type.Optional
const Text = Type.String()

const base64 = Type.String({ pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' })
const modalities = Type.Array(OneOf('text', 'audio'))
const maxTokens = Type.Union([Type.Integer({ minimum: 1, maximum: 4096 }), Type.Literal('inf')])
const noiseReduction = Shape({ type: OneOf('near_field', 'far_field') })
const transcription = Shape({
  model: Text,
  language: Maybe(Type.String({ pattern: '^[a-z]{2}$' })),
  prompt: Maybe(Text),
})

const turnDetection = (extra: TProperties) =>
  Type.Union([
    Type.Null(),
    Shape({
      type: Type.Literal('server_vad'),
      threshold: Maybe(Type.Number({ minimum: 0, maximum: 1 })),
      prefix_padding_ms: Maybe(Type.Integer()),
      silence_duration_ms: Maybe(Type.Integer()),
      create_response: Maybe(Type.Boolean()),
      interrupt_response: Maybe(Type.Boolean()),
      ...extra,
    }),
    Shape({
      type: Type.Literal('semantic_vad'),
      eagerness: Maybe(OneOf('low', 'medium', 'high', 'auto')),
      create_response: Maybe(Type.Boolean()),
      interrupt_response: Maybe(Type.Boolean()),
    }),
  ])

const tools = Type.Array(
  Shape({
    type: Type.Literal('function'),
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
    description: Maybe(Text),
    parameters: Maybe(Type.Object({ type: Type.Literal('object') })),
  }),
)
const toolChoice = Type.Union([
  OneOf('auto', 'none', 'required'),
  Shape({ type: Type.Literal('function'), name: Text }),
])

/** Items that a client makes; those of assistants have another type of content in each protocol. */
function items(assistantText: string) {
  const ids = { id: Maybe(Type.String({ maxLength: 32 })), status: Maybe(OneOf('completed', 'incomplete')) }
  const message = (role: string, ...content: TSchema[]) =>
    Shape({
      ...ids,
      type: Type.Literal('message'),
      role: Type.Literal(role),
      content: Type.Array(Type.Union(content), { minItems: 1 }),
    })
  const text = (type: string) => Shape({ type: Type.Literal(type), text: Text })
  return Type.Union([
    message('system', text('input_text')),
    message('user', text('input_text'), Shape({ type: Type.Literal('input_audio'), audio: base64 })),
    message('assistant', text(assistantText)),
    Shape({ ...ids, type: Type.Literal('function_call_output'), call_id: Text, output: Text }),
    Shape({ ...ids, type: Type.Literal('function_call'), call_id: Text, name: Text, arguments: Text }),
  ])
}

const pcm = Shape({ type: Type.Literal('audio/pcm'), rate: Type.Literal(24_000) })
const temperature = Type.Number({ minimum: 0.6, maximum: 1.2 })

const gaSession = Shape({
  type: Type.Literal('realtime'),
  instructions: Maybe(Text),
  output_modalities: Maybe(Type.Array(OneOf('text', 'audio'), { minItems: 1, maxItems: 1 })),
  audio: Maybe(
    Shape({
      input: Maybe(
        Shape({
          format: Maybe(pcm),
          noise_reduction: Maybe(noiseReduction),
          transcription: Maybe(transcription),
          turn_detection: Maybe(
            turnDetection({
              idle_timeout_ms: Maybe(
                Type.Union([Type.Integer({ minimum: 5_000, maximum: 30_000 }), Type.Null()]),
              ),
            }),
          ),
        }),
      ),
      output: Maybe(
        Shape({ format: Maybe(pcm), voice: Maybe(Text), speed: Maybe(Type.Number({ minimum: 0.25 })) }),
      ),
    }),
  ),
  tools: Maybe(tools),
  tool_choice: Maybe(toolChoice),
  max_output_tokens: Maybe(maxTokens),
})

const betaSession = Shape({
  modalities: Maybe(modalities),
  instructions: Maybe(Text),
  voice: Maybe(Text),
  input_audio_format: Maybe(Type.Literal('pcm16')),
  output_audio_format: Maybe(Type.Literal('pcm16')),
  input_audio_noise_reduction: Maybe(Type.Union([noiseReduction, Type.Null()])),
  input_audio_transcription: Maybe(Type.Union([transcription, Type.Null()])),
  turn_detection: Maybe(turnDetection({})),
  tools: Maybe(tools),
  tool_choice: Maybe(toolChoice),
  temperature: Maybe(temperature),
  max_response_output_tokens: Maybe(maxTokens),
  speed: Maybe(Type.Number({ minimum: 0.25, maximum: 1.5 })),
})

const response = (item: TSchema, extra: TProperties) =>
  Maybe(
    Shape({
      conversation: Maybe(OneOf('auto', 'none')),
      input: Maybe(Type.Array(item)),
      instructions: Maybe(Text),
      tools: Maybe(tools),
      tool_choice: Maybe(toolChoice),
      metadata: Maybe(Type.Record(Text, Text)),
      ...extra,
    }),
  )

const gaItem = items('output_text')
const betaItem = items('text')

const shapes = (session: TSchema, item: TSchema, responseExtra: TProperties) => [
  Event('session.update', { session }),
  Event('input_audio_buffer.append', { audio: base64 }),
  Event('input_audio_buffer.commit', {}),
  Event('input_audio_buffer.clear', {}),
  Event('conversation.item.create', { item, previous_item_id: Maybe(Text) }),
  Event('conversation.item.retrieve', { item_id: Text }),
  Event('conversation.item.delete', { item_id: Text }),
  Event('conversation.item.truncate', {
    item_id: Text,
    content_index: Type.Integer({ minimum: 0 }),
    audio_end_ms: Type.Integer({ minimum: 0 }),
  }),
  Event('response.create', { response: response(item, responseExtra) }),
  Event('response.cancel', { response_id: Maybe(Text) }),
]

const ajv = new Ajv({ allowUnionTypes: true })

function validators(all: ReturnType<typeof shapes>): Map<string, ValidateFunction> {
  return new Map(all.map(([type, shape]) => [type, ajv.compile(shape)]))
}

const byProtocol = {
  ga: validators(
    shapes(gaSession, gaItem, { output_modalities: Maybe(modalities), max_output_tokens: Maybe(maxTokens) }),
  ),
  beta: validators(
    shapes(betaSession, betaItem, {
      modalities: Maybe(modalities),
      voice: Maybe(Text),
      temperature: Maybe(temperature),
      max_response_output_tokens: Maybe(maxTokens),
    }),
  ),
}

/** @returns what is wrong with a client's event; null: nothing */
export function problemOf(protocol: Protocol, event: any): string | null {
  const check = byProtocol[protocol].get(event?.type)
  if (!check) return `unknown event ${event?.type}`
  if (check(event)) return null
  const problems = (check.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${params['additionalProperty'] ?? ''}`.trim(),
  )
  return `${event.type}: ${problems.join('; ')}`
}
