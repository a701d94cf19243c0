import { listCommand } from '../../lib/list-command.js'

export default listCommand('/voice-agents/models', {
  summary: 'List the models that voice agents can have',
  examples: ['voice-agent models --workspace acme'],
  shown: ['id', 'provider', 'name', 'languages'],
  sortFields: [],
})
