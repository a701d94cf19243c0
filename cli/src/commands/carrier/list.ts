import { listCommand } from '../../lib/list-command.js'

export default listCommand('/carriers', {
  summary: 'List SMS carriers',
  examples: ['carrier list', 'carrier list --filter state=down --columns id,title,last_error'],
  host: 'operator',
  shown: ['id', 'title', 'kind', 'state', 'last_error'],
  hidden: ['is_active', 'window_size', 'throughput', 'since', 'server_id', 'created_at', 'updated_at'],
  cells: {
    state: ({ status }) => status.state,
    since: ({ status }) => status.since,
    last_error: ({ status }) => status.last_error,
    server_id: ({ status }) => status.server_id,
  },
  search: 'ids and titles',
  sortFields: ['created_at', 'title'],
})
