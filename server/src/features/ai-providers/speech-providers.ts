/** The providers that the operator has set up, as sessions see them. */
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Service } from '../../adapters/speech/cascaded/services.js'
import type { SpeechModel, SpeechSettings } from '../../adapters/speech/speech-model.js'

/** Who offers a model, and for how much. */
export interface SpeechOffer {
  /** The provider's name. */
  readonly provider: string
  /** USD a minute of talk; 0 where nothing is charged, as with a workspace's own key. */
  readonly pricePerMinute: number
}

export interface SpeechProviders {
  /**
   * The model `modelId`, with the workspace's own key if it has one; not open yet.
   * @throws {SpeechModelError} `refused`: no provider offers it, or its key cannot be read
   */
  model(workspace: Owner, settings: SpeechSettings): Promise<SpeechModel>
  /** @throws {SpeechModelError} `refused`: no provider offers it */
  offer(workspace: Owner, modelId: string): Promise<SpeechOffer>
  /** USD a minute of conversation; 0 if nothing is charged. */
  pricePerMinute(workspace: Owner, modelId: string): Promise<number>
}

/** The address of a text model with OpenAI's HTTP API. */
export interface TextModelAddress {
  /** Without a slash at its end; `/chat/completions` is beneath it. */
  readonly baseUrl: string
  /** Null where the server asks for none. */
  readonly apiKey: string | null
  readonly modelId: string
}

export interface TranscriptionProviders {
  /**
   * The speech to text for recordings of a workspace: of the default model's provider, or of the oldest other provider
   * that has it; null where none has.
   * @throws {SpeechModelError} `refused`: its key cannot be read
   */
  transcription(workspace: Owner): Promise<Service | null>
}

export interface TextProviders {
  /**
   * The model that writes instructions for a workspace: of the default model's provider, or of the oldest other provider
   * that has one.
   * @throws {SpeechModelError} `refused`: no provider offers one, or its key cannot be read
   */
  textModel(workspace: Owner): Promise<TextModelAddress>
}
