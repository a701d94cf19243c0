import { listCommand } from '../../lib/list-command.js'
import { agentColumns } from '../../resources/agent.js'

export default listCommand('/teams/{id}/agents', {
  summary: 'List the agents of a team',
  examples: ['team agents te_01 --workspace acme'],
  args: { id: 'id of the team' },
  ...agentColumns,
  search: 'names, e-mail addresses and usernames',
  sortFields: ['created_at', 'display_name', 'email', 'username', 'is_active'],
})
