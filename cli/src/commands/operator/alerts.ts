import { listCommand } from '../../lib/list-command.js'

export default listCommand('/operator/alerts', {
  summary: 'List alerts: spending, refused calls, emergency calls and possible toll fraud',
  examples: ['operator alerts', 'operator alerts --search acme'],
  host: 'operator',
  shown: ['created_at', 'workspace_id', 'kind', 'message'],
  hidden: ['id', 'period_began', 'country_code', 'details'],
  search: 'workspaces and kinds',
  sortFields: ['created_at'],
  filters: ['workspace_id', 'kind'],
})
