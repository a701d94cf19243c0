import { listCommand } from '../../lib/list-command.js'

export default listCommand('/voice-agents/voices', {
  summary: 'List the voices that voice agents can have',
  examples: ['voice-agent voices --workspace acme'],
  shown: ['id', 'provider', 'name', 'languages'],
  sortFields: [],
})
