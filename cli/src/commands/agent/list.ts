import { listCommand } from '../../lib/list-command.js'
import { agentColumns } from '../../resources/agent.js'

export default listCommand('/agents', {
  summary: 'List agents',
  examples: [
    'agent list --workspace acme --sort display_name',
    'agent list --workspace acme --filter is_active=true --filter role=supervisor',
    'agent list --workspace acme --all --columns username,display_name,email,role --csv',
  ],
  ...agentColumns,
  search: 'names, e-mail addresses and usernames',
  sortFields: ['created_at', 'display_name', 'email', 'username', 'is_active'],
  filters: ['state', 'country_code', 'is_active', 'is_admin', 'role', 'team_id'],
})
