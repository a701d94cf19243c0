/** Models of the operator's providers, for sessions and for what writes. */
import type { Logger } from 'pino'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Catalogue } from './catalogue.js'
import type {
  SpeechOffer,
  SpeechProviders,
  TextModelAddress,
  TextProviders,
  TranscriptionProviders,
} from './speech-providers.js'
import type { Service } from '../../adapters/speech/cascaded/services.js'
import {
  type SpeechModel,
  SpeechModelError,
  type SpeechSettings,
} from '../../adapters/speech/speech-model.js'
import type { AiProviderKeys } from './ai-provider-key.service.js'
import type { AiProvider } from './ai-provider.entity.js'
import type { AiProviderService } from './ai-provider.service.js'
import type { AddressSettings, ProviderSettings } from './provider-settings.js'
import { speechModelOf } from './speech-models.js'
import { textAddress, textModelOf, transcriptionService } from './text-models.js'

interface Options {
  readonly providers: Pick<AiProviderService, 'active'>
  readonly settings: ProviderSettings
  readonly keys: Pick<AiProviderKeys, 'find' | 'has'>
  readonly catalogue: Catalogue
  readonly log: Logger
}

export class ProviderModels implements SpeechProviders, TextProviders, TranscriptionProviders {
  constructor(private readonly options: Options) {}

  async model(workspace: Owner, settings: SpeechSettings): Promise<SpeechModel> {
    const provider = await this.offering(settings.modelId)
    return speechModelOf(await this.addressed(workspace, provider), settings, this.options.log)
  }

  async offer(workspace: Owner, modelId: string): Promise<SpeechOffer> {
    const { id, name, price_per_minute } = await this.offering(modelId)
    const isPaidByWorkspace = await this.options.keys.has(workspace, id)
    return { provider: name, pricePerMinute: isPaidByWorkspace ? 0 : price_per_minute }
  }

  async pricePerMinute(workspace: Owner, modelId: string): Promise<number> {
    return (await this.offer(workspace, modelId)).pricePerMinute
  }

  async transcription(workspace: Owner): Promise<Service | null> {
    for (const provider of await this.ordered()) {
      const service = transcriptionService(await this.addressed(workspace, provider))
      if (service) return service
    }
    return null
  }

  async textModel(workspace: Owner): Promise<TextModelAddress> {
    for (const provider of await this.ordered()) {
      const modelId = textModelOf(provider)
      if (modelId !== null) return textAddress(await this.addressed(workspace, provider), modelId)
    }
    throw new SpeechModelError('refused', 'no AI provider offers a model that writes')
  }

  /** The active ones: first the one of the default model, then the others by age. */
  private async ordered(): Promise<AiProvider[]> {
    const { providers, catalogue } = this.options
    const active = await providers.active()
    const offers = await catalogue.offers()
    const preferred = offers.providerOf(offers.defaultModel)
    return [...active].sort((a, b) => Number(b.name === preferred) - Number(a.name === preferred))
  }

  /** @throws {SpeechModelError} `refused` */
  private async offering(modelId: string): Promise<AiProvider> {
    const active = await this.options.providers.active()
    const provider = active.find(({ models }) => models.some(({ id }) => id === modelId))
    if (!provider) throw new SpeechModelError('refused', `no AI provider offers the model ${modelId}`)
    return provider
  }

  /** The settings of a provider, with the workspace's own key where it has one. @throws {SpeechModelError} `refused` */
  private async addressed(workspace: Owner, provider: AiProvider): Promise<AddressSettings> {
    const address = this.options.settings.addressSettings(provider)
    if (!address) throw unreadable(provider)
    const key = await this.options.keys.find(workspace, provider.id).catch((cause: unknown) => {
      throw unreadable(provider, cause)
    })
    return key === null ? address : withKey(address, key)
  }
}

function unreadable({ name }: AiProvider, cause?: unknown): SpeechModelError {
  return new SpeechModelError('refused', `the key of the AI provider ${name} cannot be read: set it again`, {
    cause,
  })
}

function withKey(address: AddressSettings, api_key: string): AddressSettings {
  if (address.kind === 'openai_realtime') return { ...address, settings: { ...address.settings, api_key } }
  const { speech_to_text, chat, text_to_speech } = address.settings
  return {
    ...address,
    settings: {
      speech_to_text: { ...speech_to_text, api_key },
      chat: { ...chat, api_key },
      text_to_speech: { ...text_to_speech, api_key },
    },
  }
}
