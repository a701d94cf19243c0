/** Makes models of what providers' settings say. */
import type { Logger } from 'pino'
import { RealtimeModel } from '../voice-agents/speech/realtime/realtime-model.js'
import {
  type SpeechModel,
  SpeechModelError,
  type SpeechSettings,
} from '../voice-agents/speech/speech-model.js'
import type { AddressSettings } from './provider-settings.js'

/** A model that is not open yet. */
export function speechModelOf(address: AddressSettings, settings: SpeechSettings, log: Logger): SpeechModel {
  if (address.kind === 'openai_realtime') {
    const { base_url, api_key, protocol, transcription_model } = address.settings
    const { modelId } = settings
    const realtime = { baseUrl: base_url, apiKey: api_key, protocol, transcriptionModel: transcription_model }
    return new RealtimeModel(realtime, settings, log.child({ model: modelId }))
  }
  throw new SpeechModelError('refused', `the model ${settings.modelId} cannot be spoken to yet`)
}
