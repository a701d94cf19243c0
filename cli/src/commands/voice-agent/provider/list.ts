import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/voice-agents/providers', {
  summary: 'List AI providers, and whether your key or the platform’s is used',
  examples: ['voice-agent provider list --workspace acme'],
  shown: ['id', 'name', 'kind', 'price_per_minute', 'has_own_key', 'own_key_updated_at'],
  sortFields: [],
})
