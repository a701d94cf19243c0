/** Form values of a provider, and their conversion to request bodies. */
import type { components } from '@jackfield/sdk'
import type { AiProvider } from '../queries'

type Schemas = components['schemas']

/** '' leaves the stored key, null removes it. */
type Key = string | null

export interface ProviderValues extends Record<string, unknown> {
  name: string
  kind: AiProvider['kind']
  price_per_minute: number | string
  is_active: boolean
  openai_realtime: {
    base_url: string
    protocol: 'ga' | 'beta'
    transcription_model: string
    text_model: string
    text_base_url: string
    api_key: Key
  }
  cascaded: {
    speech_to_text: { base_url: string; model: string; api_key: Key }
    chat: { base_url: string; model: string; api_key: Key }
    text_to_speech: { base_url: string; model: string; voice: string; sample_rate: string; api_key: Key }
  }
  models: AiProvider['models']
  voices: AiProvider['voices']
}

export const services = ['speech_to_text', 'chat', 'text_to_speech'] as const

export const newOffer: AiProvider['models'][number] = { id: '', name: '', languages: [] }

const service = { base_url: '', model: '', api_key: '' }

/** Default: OpenAI. */
const initial: ProviderValues = {
  ...{ name: '', kind: 'openai_realtime', price_per_minute: 0, is_active: true },
  openai_realtime: {
    base_url: 'https://api.openai.com/v1',
    protocol: 'ga',
    transcription_model: 'gpt-4o-mini-transcribe',
    text_model: 'gpt-4.1-mini',
    text_base_url: '',
    api_key: '',
  },
  cascaded: {
    speech_to_text: service,
    chat: service,
    text_to_speech: { ...service, voice: 'alloy', sample_rate: '24000' },
  },
  models: [newOffer],
  voices: [],
}

export function valuesOf(provider: AiProvider | undefined): ProviderValues {
  if (!provider) return initial
  const { name, kind, price_per_minute, is_active, models, voices, settings } = provider
  const values = { ...initial, name, kind, price_per_minute, is_active, models, voices }
  return 'chat' in settings
    ? { ...values, cascaded: chainOf(settings) }
    : { ...values, openai_realtime: realtimeOf(settings) }
}

function realtimeOf(settings: Schemas['RealtimeProviderSettings']): ProviderValues['openai_realtime'] {
  const { base_url, protocol, transcription_model, text_model, text_base_url } = settings
  return {
    ...{ base_url, protocol, api_key: '' },
    transcription_model: transcription_model ?? '',
    text_model: text_model ?? '',
    text_base_url: text_base_url ?? '',
  }
}

function chainOf(settings: Schemas['CascadedProviderSettings']): ProviderValues['cascaded'] {
  const { speech_to_text, chat, text_to_speech } = settings
  return {
    speech_to_text: { ...speech_to_text, api_key: '' },
    chat: { ...chat, model: chat.model ?? '', api_key: '' },
    text_to_speech: {
      ...text_to_speech,
      sample_rate: String(text_to_speech.sample_rate),
      api_key: '',
    },
  }
}

/** Settings in the API's format; an unchanged key is not sent. */
export function settingsOf({ kind, openai_realtime, cascaded }: ProviderValues): Record<string, unknown> {
  if (kind === 'openai_realtime') {
    const { api_key, transcription_model, text_model, text_base_url, ...rest } = openai_realtime
    return {
      ...rest,
      transcription_model: transcription_model || null,
      text_model: text_model || null,
      text_base_url: text_base_url || null,
      ...keyOf(api_key),
    }
  }
  const { speech_to_text, chat, text_to_speech } = cascaded
  return {
    speech_to_text: withKey(speech_to_text),
    chat: withKey({ ...chat, model: chat.model || null }),
    text_to_speech: withKey({ ...text_to_speech, sample_rate: Number(text_to_speech.sample_rate) }),
  }
}

function withKey({ api_key, ...rest }: { api_key: Key } & Record<string, unknown>) {
  return { ...rest, ...keyOf(api_key) }
}

function keyOf(api_key: Key): { api_key?: Key } {
  return api_key === '' ? {} : { api_key }
}

/** Form path of an API field. */
export function fieldIn(kind: AiProvider['kind'], field: string): string {
  return field.replace(/^settings\./, `${kind}.`).replace(/(\.languages)\.\d+$/, '$1')
}
