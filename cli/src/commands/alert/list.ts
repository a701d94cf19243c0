import { listCommand } from '../../lib/list-command.js'

export default listCommand('/alerts', {
  summary: 'List alerts: spending, refused calls, emergency calls and possible toll fraud',
  examples: ['alert list --workspace acme', 'alert list --filter kind=calls_burst'],
  shown: ['created_at', 'kind', 'message'],
  hidden: ['id', 'workspace_id', 'period_began', 'country_code', 'details'],
  search: 'kinds',
  sortFields: ['created_at'],
  filters: ['kind'],
})
