import { listCommand } from '../../lib/list-command.js'

export default listCommand('/voice-agents', {
  summary: 'List voice agents',
  examples: ['voice-agent list --workspace acme', 'voice-agent list --workspace acme --sort name'],
  shown: ['id', 'name', 'published_version', 'updated_at'],
  hidden: ['country_code', 'created_at'],
  search: 'names',
  sortFields: ['created_at', 'name'],
})
