import { apiKey, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, pageOf, pageQuery } from '../../infrastructure/http/lists.js'
import { idParams } from '../../infrastructure/http/shapes.js'
import type { AiProviderKeys, KeyedProvider } from './ai-provider-key.service.js'
import { SetAiProviderKey, WorkspaceAiProviderShape } from './ai-provider.schema.js'

const tag = 'Voice agents'

export function aiProviderKeyEndpoints({ aiProviderKeys }: { aiProviderKeys: AiProviderKeys }) {
  return [
    endpoint({
      method: 'GET',
      path: '/voice-agents/providers',
      summary: 'List the providers of AI models, and whether the workspace’s or the platform’s key is used',
      tag,
      auth: apiKey('any'),
      query: pageQuery(100),
      response: { 200: listOf(WorkspaceAiProviderShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, pageOf(query, await aiProviderKeys.list(workspace)), present),
    }),
    endpoint({
      method: 'PUT',
      path: '/voice-agents/providers/:id/key',
      summary: 'Set the workspace’s own key of a provider',
      description:
        'Calls that begin from now on use it in place of the platform’s, and the platform does not charge for the provider.',
      tag,
      auth: apiKey('full'),
      params: idParams,
      body: SetAiProviderKey,
      response: { 200: WorkspaceAiProviderShape },
      errors: { 404: 'No such provider' },
      handler: async ({ workspace, params, body }) =>
        present(await aiProviderKeys.set(workspace, params.id, body.api_key)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/voice-agents/providers/:id/key',
      summary: 'Delete the workspace’s own key of a provider',
      tag,
      auth: apiKey('full'),
      params: idParams,
      response: { 200: WorkspaceAiProviderShape },
      errors: { 404: 'No such provider, or the workspace has no key of its own there' },
      handler: async ({ workspace, params }) => present(await aiProviderKeys.delete(workspace, params.id)),
    }),
  ]
}

function present({ provider: { id, name, kind, price_per_minute }, key }: KeyedProvider) {
  return {
    ...{ id, name, kind, price_per_minute: key ? 0 : price_per_minute },
    has_own_key: key !== null,
    own_key_updated_at: key?.updated_at.toISOString() ?? null,
  }
}
