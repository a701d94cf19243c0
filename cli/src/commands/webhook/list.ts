import { listCommand } from '../../lib/list-command.js'

export default listCommand('/webhooks', {
  summary: 'List webhooks',
  examples: ['webhook list --workspace acme', 'webhook list --workspace acme --filter is_active=false'],
  shown: ['id', 'title', 'url', 'events', 'is_active'],
  hidden: ['disabled_reason', 'failing_since', 'last_delivery', 'created_at', 'updated_at'],
  search: 'titles and addresses',
  sortFields: ['created_at', 'title'],
})
