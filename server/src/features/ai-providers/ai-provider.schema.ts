import Type, { type Static } from 'typebox'
import { Timestamp, Title, Usd, nullable, patterned } from '../../infrastructure/http/shapes.js'
import { ApiKeyText, CascadedSettingsShape, RealtimeSettingsShape } from './provider-settings.schema.js'

const name = patterned(
  '^[a-z0-9][a-z0-9._-]{0,63}$',
  '1 to 64 lower-case letters, digits, dots, hyphens and underscores',
  { description: 'The provider’s name at voice agents' },
)
const kind = Type.Enum(['openai_realtime', 'cascaded'], {
  description:
    'A server of OpenAI’s Realtime protocol, or a chain of speech to text, chat and text to speech over OpenAI’s HTTP API',
})

/** Settings as they are sent; each kind checks its own. */
const settings = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    'Those of the kind, and its keys: `api_key` of openai_realtime, `api_key` of each service of cascaded. Keys are stored encrypted and never shown.',
})

const NamedOffer = Type.Object({
  id: Title(1, 100),
  name: Title(1, 100),
  languages: Type.Array(patterned('^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', 'a BCP 47 tag'), {
    maxItems: 200,
    default: [],
    description: 'Empty: not tied to any',
  }),
})
const models = Type.Array(NamedOffer, {
  ...{ minItems: 1, maxItems: 100 },
  description: 'By the ids that the provider has for them',
})
const voices = Type.Array(NamedOffer, {
  maxItems: 500,
  description: 'By the ids that the provider has for them',
})
const price = Usd(
  0,
  1000,
  'USD for each minute that a voice agent talks; not of workspaces with a key of their own',
)

export const CreateAiProvider = Type.Object({
  name,
  kind,
  settings: Type.Unsafe<Record<string, unknown>>({ ...settings, default: {} }),
  models,
  voices: Type.Array(NamedOffer, { ...voices, default: [] }),
  price_per_minute: Type.Number({ ...price, default: 0 }),
  is_active: Type.Boolean({ default: true }),
})
export type CreateAiProvider = Static<typeof CreateAiProvider>

export const UpdateAiProvider = Type.Object({
  name: Type.Optional(name),
  settings: Type.Optional(settings),
  models: Type.Optional(models),
  voices: Type.Optional(voices),
  price_per_minute: Type.Optional(price),
  is_active: Type.Optional(Type.Boolean()),
})
export type UpdateAiProvider = Static<typeof UpdateAiProvider>

const OfferShape = Type.Object({
  id: Type.String(),
  name: Type.String(),
  languages: Type.Array(Type.String()),
})

export const AiProviderShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind,
    settings: Type.Union([RealtimeSettingsShape, CascadedSettingsShape]),
    secrets: Type.Array(Type.String(), { description: 'The names of the secrets that are stored' }),
    models: Type.Array(OfferShape),
    voices: Type.Array(OfferShape),
    price_per_minute: Type.Number({ description: 'USD' }),
    is_active: Type.Boolean({ description: 'An inactive provider offers nothing, and takes no calls' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'AiProvider' },
)

export const AiProviderTrialShape = Type.Object(
  {
    model_id: Type.String(),
    took_ms: Type.Integer({ description: 'Until the model was ready, or failed' }),
    error: nullable(Type.String({ description: 'Why it is not ready for calls; null: it is' })),
  },
  { title: 'AiProviderTrial' },
)

/** A provider as workspaces see it. */
export const WorkspaceAiProviderShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind,
    price_per_minute: Type.Number({ description: 'USD; 0 with a key of the workspace’s own' }),
    has_own_key: Type.Boolean({ description: 'Whether the workspace’s own key is used, not the platform’s' }),
    own_key_updated_at: nullable(Timestamp),
  },
  { title: 'WorkspaceAiProvider' },
)

export const SetAiProviderKey = Type.Object({ api_key: ApiKeyText })
