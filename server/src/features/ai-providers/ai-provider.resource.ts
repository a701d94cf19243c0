/** AI providers, as the operator has them. */
import { listQuery } from '../../infrastructure/http/lists.js'
import { operatorResource } from '../../infrastructure/resources/resource.js'
import { AiProviderShape, CreateAiProvider, UpdateAiProvider } from './ai-provider.schema.js'

const taken = { 409: 'The name is taken' }

export const aiProviderResource = operatorResource({
  ...{ path: '/ai-providers', noun: 'AI provider', tag: 'AI providers' },
  shape: AiProviderShape,
  list: { query: listQuery({ limit: 20, sort: ['created_at', 'name'], search: 'Looks at id and name' }) },
  show: {},
  create: {
    body: CreateAiProvider,
    summary: 'Connect an AI provider',
    description:
      'Voice agents of all workspaces can use its models. If two providers offer the same model, the older one serves it. An openai_realtime without `settings.base_url` is OpenAI.',
    errors: taken,
  },
  update: {
    body: UpdateAiProvider,
    description:
      'Settings that are not sent stay as they are. The change applies to calls that begin afterwards.',
    errors: taken,
  },
  delete: {
    summary: 'Delete an AI provider with the keys that workspaces have there',
    errors: { 409: 'It is active, and voice agents use models that no other provider offers' },
  },
})
