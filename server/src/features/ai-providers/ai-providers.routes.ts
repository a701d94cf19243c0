import { endpoint, operator } from '../../infrastructure/http/endpoint.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import { withTimes } from '../../infrastructure/resources/with-times.js'
import type { AiProvider } from './ai-provider.entity.js'
import { aiProviderResource } from './ai-provider.resource.js'
import { AiProviderTrialShape } from './ai-provider.schema.js'
import type { AiProviderService } from './ai-provider.service.js'
import type { ProviderSettings } from './provider-settings.js'
import type { ProviderTrials } from './provider-trial.js'

interface Services {
  aiProviders: AiProviderService
  providerSettings: ProviderSettings
  providerTrials: ProviderTrials
}

export function aiProviderEndpoints({ aiProviders, providerSettings, providerTrials }: Services) {
  const present = (provider: AiProvider) => ({ ...withTimes(provider), ...providerSettings.shown(provider) })
  return [
    ...aiProviderResource.endpoints(aiProviders, present),
    endpoint({
      method: 'POST',
      path: '/ai-providers/:id/test',
      summary: 'Open a session with an AI provider, and close it',
      description:
        'Opens a session with its first model and the platform’s key, in 10 seconds at most, without speech.',
      tag: aiProviderResource.tag,
      auth: operator,
      params: idParams,
      response: { 200: AiProviderTrialShape },
      errors: { 404: 'No such AI provider' },
      handler: async ({ params }) => providerTrials.run(await aiProviders.get(params.id)),
    }),
  ]
}
