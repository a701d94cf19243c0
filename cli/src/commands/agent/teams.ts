import { listCommand } from '../../lib/list-command.js'

export default listCommand('/agents/{id}/teams', {
  summary: 'List the teams of an agent',
  examples: ['agent teams ag_01 --workspace acme'],
  args: { id: 'id of the agent' },
  shown: ['id', 'name', 'agent_count'],
  hidden: ['created_at', 'updated_at'],
  sortFields: ['created_at'],
})
