/** The AI models and voices that a workspace may choose from: those of the active providers. */
import type { EntityManager } from 'typeorm'
import type { AiProvider, NamedOffer } from './ai-provider.entity.js'

/** A model or a voice, and its provider. */
export interface Offer {
  id: string
  provider: string
  name: string
  languages: string[]
}

/** Whose the default model is while the operator has set up no provider. */
const defaultProvider = 'openai'

/** A snapshot of the offers. */
export class Offers {
  readonly models: readonly Offer[]
  readonly voices: readonly Offer[]

  /** @param providers oldest first: of two that offer the same model the older one has it */
  constructor(
    providers: readonly AiProvider[],
    private readonly preferredModel: string,
  ) {
    const seen = new Set<string>()
    const isFirst = ({ id }: Offer) => !seen.has(id) && seen.add(id).size > 0
    this.models = providers.flatMap((provider) => offersOf(provider, provider.models)).filter(isFirst)
    this.voices = providers.flatMap((provider) => offersOf(provider, provider.voices))
  }

  /** The model that a new voice agent gets: the operator's choice, or the first one if no provider offers that. */
  get defaultModel(): string {
    return (this.find(this.preferredModel) ?? this.models[0])?.id ?? this.preferredModel
  }

  /** Provider of a model. A model that no provider offers counts as the default model's provider's, and cannot take calls. */
  providerOf(modelId: string): string {
    return (this.find(modelId) ?? this.find(this.defaultModel))?.provider ?? defaultProvider
  }

  private find(modelId: string): Offer | undefined {
    return this.models.find(({ id }) => id === modelId)
  }
}

function offersOf({ name: provider }: AiProvider, offers: readonly NamedOffer[]): Offer[] {
  return offers.map(({ id, name, languages }) => ({ id, provider, name, languages }))
}

/** Reads the active providers, oldest first. */
interface Providers {
  active(tx?: EntityManager): Promise<AiProvider[]>
}

export class Catalogue {
  /** @param preferredModel the model that new voice agents get where a provider offers it */
  constructor(
    private readonly providers: Providers,
    private readonly preferredModel: string,
  ) {}

  async offers(tx?: EntityManager): Promise<Offers> {
    return new Offers(await this.providers.active(tx), this.preferredModel)
  }
}
