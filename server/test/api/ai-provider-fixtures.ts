/** AI providers: what `POST /ai-providers` takes. */
import type { Appliance } from '../support/appliance.js'
import { newName, succeed } from './fixtures.js'

/** Nobody listens there. */
export const realtimeProvider = {
  kind: 'openai_realtime',
  settings: { base_url: 'ws://127.0.0.1:9999/v1', api_key: 'key-of-the-platform' },
  models: [{ id: 'swift-1', name: 'Swift', languages: ['en', 'pt-BR'] }],
  voices: [{ id: 'nova', name: 'Nova', languages: ['en'] }],
}

const service = { base_url: 'http://127.0.0.1:9999/v1', model: 'a-model' }

/** Nobody listens there. */
export const cascadedProvider = {
  kind: 'cascaded',
  settings: {
    speech_to_text: service,
    chat: { ...service, model: null, api_key: 'key-of-the-chat' },
    text_to_speech: { ...service, voice: 'af_heart', sample_rate: 22_050 },
  },
  models: [{ id: 'house-1', name: 'House' }],
}

/** With a name of its own. */
export const providerInput = (changes: object = {}) => ({ name: newName(), ...realtimeProvider, ...changes })

/** @returns the provider as the API shows it */
export async function newProvider(appliance: Appliance, changes: object = {}) {
  return succeed(appliance.operator.post('/ai-providers', providerInput(changes)))
}
