/** The models of providers that write: instructions, and callers in evaluations. */
import type { Service } from '../../adapters/speech/cascaded/services.js'
import type { TextModelAddress } from './speech-providers.js'
import type { AiProvider } from './ai-provider.entity.js'
import type { AddressSettings } from './provider-settings.js'
import type { CascadedInput, RealtimeInput } from './provider-settings.schema.js'

/** The model of a provider that writes; null when it has none. */
export function textModelOf({ kind, settings, models }: AiProvider): string | null {
  if (kind === 'openai_realtime') return (settings as RealtimeInput).text_model
  return (settings as CascadedInput).chat.model ?? models[0]?.id ?? null
}

/** Its address. */
export function textAddress({ kind, settings }: AddressSettings, modelId: string): TextModelAddress {
  if (kind === 'cascaded') {
    return { baseUrl: withoutSlash(settings.chat.base_url), apiKey: settings.chat.api_key, modelId }
  }
  const { base_url, text_base_url, api_key } = settings
  return { baseUrl: withoutSlash(text_base_url ?? httpOf(base_url)), apiKey: api_key, modelId }
}

/** Where a provider has `/audio/transcriptions`; null where it has no model that transcribes. */
export function transcriptionService({ kind, settings }: AddressSettings): Service | null {
  if (kind === 'cascaded') {
    const { base_url, api_key, model } = settings.speech_to_text
    return { baseUrl: withoutSlash(base_url), apiKey: api_key, model }
  }
  const { base_url, api_key, transcription_model: model } = settings
  return model === null ? null : { baseUrl: withoutSlash(httpOf(base_url)), apiKey: api_key, model }
}

/** The base URL of HTTP requests, of one of WebSockets. */
function httpOf(url: string): string {
  return withoutSlash(url)
    .replace(/^ws(?=s?:)/i, 'http')
    .replace(/\/realtime$/, '')
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
