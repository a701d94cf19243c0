import { endpoint, operator } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { AiProvider } from './ai-provider.entity.js'
import {
  AiProviderShape,
  AiProviderTrialShape,
  CreateAiProvider,
  UpdateAiProvider,
} from './ai-provider.schema.js'
import type { AiProviderService } from './ai-provider.service.js'
import type { ProviderSettings } from './provider-settings.js'
import type { ProviderTrials } from './provider-trial.js'

interface Services {
  aiProviders: AiProviderService
  providerSettings: ProviderSettings
  providerTrials: ProviderTrials
}

const tag = 'AI providers'
const unknown = { 404: 'No such AI provider' }
const taken = { 409: 'The name is taken' }

export function aiProviderEndpoints({ aiProviders, providerSettings, providerTrials }: Services) {
  const present = (provider: AiProvider) => ({
    ...provider,
    ...providerSettings.shown(provider),
    created_at: provider.created_at.toISOString(),
    updated_at: provider.updated_at.toISOString(),
  })
  return [
    endpoint({
      method: 'GET',
      path: '/ai-providers',
      summary: 'List AI providers',
      tag,
      auth: operator,
      query: listQuery({ limit: 20, sort: ['created_at', 'name'], search: 'Looks at id and name' }),
      response: { 200: listOf(AiProviderShape) },
      handler: async ({ query }) => listAnswer(query, await aiProviders.list(query), present),
    }),
    endpoint({
      method: 'POST',
      path: '/ai-providers',
      summary: 'Connect an AI provider',
      description:
        'Voice agents of all workspaces can use its models. If two providers offer the same model, the older one serves it. An openai_realtime without `settings.base_url` is OpenAI.',
      tag,
      auth: operator,
      body: CreateAiProvider,
      response: { 201: AiProviderShape },
      errors: taken,
      handler: async ({ body }) => present(await aiProviders.create(body)),
    }),
    endpoint({
      method: 'GET',
      path: '/ai-providers/:id',
      summary: 'Show an AI provider',
      tag,
      auth: operator,
      params: idParams,
      response: { 200: AiProviderShape },
      errors: unknown,
      handler: async ({ params }) => present(await aiProviders.get(params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/ai-providers/:id',
      summary: 'Change an AI provider',
      description:
        'Settings that are not sent stay as they are. The change applies to calls that begin afterwards.',
      tag,
      auth: operator,
      params: idParams,
      body: UpdateAiProvider,
      response: { 200: AiProviderShape },
      errors: { ...unknown, ...taken },
      handler: async ({ params, body }) => present(await aiProviders.update(params.id, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/ai-providers/:id',
      summary: 'Delete an AI provider with the keys that workspaces have there',
      tag,
      auth: operator,
      params: idParams,
      response: { 200: AiProviderShape },
      errors: { ...unknown, 409: 'It is active, and voice agents use models that no other provider offers' },
      handler: async ({ params }) => present(await aiProviders.delete(params.id)),
    }),
    endpoint({
      method: 'POST',
      path: '/ai-providers/:id/test',
      summary: 'Open a session with an AI provider, and close it',
      description:
        'Opens a session with its first model and the platform’s key, in 10 seconds at most, without speech.',
      tag,
      auth: operator,
      params: idParams,
      response: { 200: AiProviderTrialShape },
      errors: unknown,
      handler: async ({ params }) => providerTrials.run(await aiProviders.get(params.id)),
    }),
  ]
}
