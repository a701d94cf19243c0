import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/voice-agents/providers', {
  summary: 'List the providers of AI models, and whose key is used there',
  examples: ['voice-agent provider list --workspace acme'],
  shown: ['id', 'name', 'kind', 'price_per_minute', 'has_own_key', 'own_key_updated_at'],
  sortFields: [],
})
