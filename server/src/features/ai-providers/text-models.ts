/** The models of providers that write: instructions, and callers in evaluations. */
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
  const baseUrl =
    text_base_url ??
    withoutSlash(base_url)
      .replace(/^ws(?=s?:)/i, 'http')
      .replace(/\/realtime$/, '')
  return { baseUrl: withoutSlash(baseUrl), apiKey: api_key, modelId }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
