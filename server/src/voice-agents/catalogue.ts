/** The AI models and voices that a workspace may choose from. */
import type { Config } from '../config.js'
import type { Offer } from '../offers.js'

/** Whose the default model is when the operator lists no models. */
const defaultProvider = 'openai'

export class Catalogue {
  readonly models: readonly Offer[]
  readonly voices: readonly Offer[]
  /** What a new voice agent gets. */
  readonly defaultModel: Offer

  constructor({ default_model: id, models, voices }: Config['voice_agents']) {
    const listed = models.find((model) => model.id === id)
    this.defaultModel = listed ?? { id, provider: defaultProvider, name: id, languages: [] }
    this.models = listed ? models : [this.defaultModel, ...models]
    this.voices = voices
  }

  /** Who is asked for a model. One that is not listed is asked of the default model's provider. */
  providerOf(modelId: string): string {
    return (this.models.find(({ id }) => id === modelId) ?? this.defaultModel).provider
  }
}
