import { listCommand } from '../../lib/list-command.js'

export default listCommand('/teams', {
  summary: 'List teams',
  examples: ['team list --workspace acme --sort name'],
  shown: ['id', 'name', 'agent_count'],
  hidden: ['created_at', 'updated_at'],
  search: 'names',
  sortFields: ['created_at', 'name'],
})
