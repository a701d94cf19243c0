/** Opens a session with a provider, and closes it: whether its address and its key are right. */
import type { Logger } from 'pino'
import { withTimeout } from '../../lib/with-timeout.js'
import { SpeechModelError, type SpeechSettings } from '../../adapters/speech/speech-model.js'
import { usualTurns } from '../../adapters/speech/turn-detection.js'
import type { AiProvider } from './ai-provider.entity.js'
import type { ProviderSettings } from './provider-settings.js'
import { speechModelOf } from './speech-models.js'

/** A caller would have hung up. */
const deadlineMs = 10_000

/** The result of the test. */
export interface Trial {
  model_id: string
  /** Milliseconds until the model was ready, or failed. */
  took_ms: number
  /** Null: it is ready for calls. */
  error: string | null
}

export class ProviderTrials {
  constructor(
    private readonly settings: ProviderSettings,
    private readonly log: Logger,
  ) {}

  /** Opens a session with the platform's key and its first model, without speech. */
  async run(provider: AiProvider): Promise<Trial> {
    const modelId = provider.models[0]?.id ?? ''
    const began = performance.now()
    const error = await this.failure(provider, modelId)
    return { model_id: modelId, took_ms: Math.round(performance.now() - began), error }
  }

  private async failure(provider: AiProvider, modelId: string): Promise<string | null> {
    const address = this.settings.addressSettings(provider)
    if (!address) return 'its key cannot be read: set it again'
    const model = speechModelOf(address, silent(modelId), this.log)
    try {
      await withTimeout(deadlineMs, new AbortController().signal, async (signal) => model.open(signal))
      return null
    } catch (error) {
      if (error instanceof SpeechModelError) return `${error.kind}: ${error.message}`
      throw error
    } finally {
      model.close()
    }
  }
}

function silent(modelId: string): SpeechSettings {
  return {
    ...{ modelId, voiceId: null, instructions: 'Say nothing.', temperature: 0.8, noiseReduction: false },
    ...{ tools: [], history: [], language: null, turnDetection: usualTurns },
  }
}
