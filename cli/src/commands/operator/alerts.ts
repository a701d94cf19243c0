import { listCommand } from '../../lib/list-command.js'

export default listCommand('/operator/alerts', {
  summary: 'List alerts of spending and of refused calls',
  examples: ['operator alerts', 'operator alerts --search acme'],
  host: 'operator',
  shown: ['created_at', 'workspace_id', 'kind', 'message'],
  hidden: ['id', 'period_began'],
  search: 'workspaces and kinds',
  sortFields: ['created_at'],
})
