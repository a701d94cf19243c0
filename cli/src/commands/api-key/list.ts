import { listCommand } from '../../lib/list-command.js'

export default listCommand('/api-keys', {
  summary: 'List API keys',
  examples: ['api-key list --workspace acme'],
  shown: ['sid', 'title', 'scope', 'role', 'signs_clients', 'last_used_at'],
  hidden: ['created_at'],
  search: 'titles and sids',
  sortFields: ['created_at'],
})
