/** Reads the provider's usage counts. */
import type { SpeechUsage } from '../speech-model.js'
import type { Fields } from './fields.js'

/** @param usage of a `response.done`: cached tokens are a part of those that went in */
export function responseUsage(usage: Fields): Partial<SpeechUsage> {
  const [input, output] = [usage.fields('input_token_details'), usage.fields('output_token_details')]
  return {
    inputTextTokens: usage.has('input_token_details')
      ? input.number('text_tokens')
      : usage.number('input_tokens'),
    inputAudioTokens: input.number('audio_tokens'),
    cachedTokens: input.number('cached_tokens'),
    outputTextTokens: usage.has('output_token_details')
      ? output.number('text_tokens')
      : usage.number('output_tokens'),
    outputAudioTokens: output.number('audio_tokens'),
  }
}

/** @param usage of a transcription, which is counted in seconds or in tokens, as its model is paid for */
export function transcriptionUsage(usage: Fields): Partial<SpeechUsage> {
  if (usage.text('type') === 'duration') return { transcribedSeconds: usage.number('seconds') }
  const { inputTextTokens = 0, inputAudioTokens = 0, outputTextTokens = 0 } = responseUsage(usage)
  return { inputTextTokens, inputAudioTokens, outputTextTokens }
}
