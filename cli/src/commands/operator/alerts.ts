import { listCommand } from '../../lib/list-command.js'

export default listCommand('/operator/alerts', {
  summary: 'List alerts of spending, of refused and emergency calls, and of what looks like toll fraud',
  examples: ['operator alerts', 'operator alerts --search acme'],
  host: 'operator',
  shown: ['created_at', 'workspace_id', 'kind', 'message'],
  hidden: ['id', 'period_began', 'country_code', 'details'],
  search: 'workspaces and kinds',
  sortFields: ['created_at'],
  filters: ['workspace_id', 'kind'],
})
