/** Makes models of what providers' settings say. */
import type { Logger } from 'pino'
import { CascadedModel } from '../../adapters/speech/cascaded/cascaded-model.js'
import {
  type CascadedServices,
  type Service,
  usualDeadlines,
} from '../../adapters/speech/cascaded/services.js'
import { RealtimeModel } from '../../adapters/speech/realtime/realtime-model.js'
import type { SpeechModel, SpeechSettings } from '../../adapters/speech/speech-model.js'
import type { AddressSettings } from './provider-settings.js'

/** A model that is not open yet. */
export function speechModelOf(address: AddressSettings, settings: SpeechSettings, log: Logger): SpeechModel {
  const { modelId } = settings
  const modelLog = log.child({ model: modelId })
  if (address.kind === 'openai_realtime') {
    const { base_url, api_key, protocol, transcription_model } = address.settings
    const realtime = { baseUrl: base_url, apiKey: api_key, protocol, transcriptionModel: transcription_model }
    return new RealtimeModel(realtime, settings, modelLog)
  }
  const { speech_to_text, chat, text_to_speech } = address.settings
  const services: CascadedServices = {
    speechToText: serviceOf(speech_to_text, speech_to_text.model),
    chat: serviceOf(chat, chat.model ?? modelId),
    textToSpeech: {
      ...serviceOf(text_to_speech, text_to_speech.model),
      ...{ voice: text_to_speech.voice, pcmRate: text_to_speech.sample_rate },
    },
  }
  return new CascadedModel(services, settings, usualDeadlines, modelLog)
}

function serviceOf(
  { base_url, api_key }: { base_url: string; api_key: string | null },
  model: string,
): Service {
  return { baseUrl: base_url, apiKey: api_key, model }
}
