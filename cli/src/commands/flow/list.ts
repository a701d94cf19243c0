import { listCommand } from '../../lib/list-command.js'

export default listCommand('/call-flows', {
  summary: 'List call flows',
  examples: ['flow list --workspace acme', 'flow list --workspace acme --filter trigger_type=inbound'],
  shown: ['id', 'title', 'trigger_type', 'dial_code', 'updated_at'],
  hidden: ['created_at'],
  search: 'titles',
  sortFields: ['created_at', 'title'],
  filters: ['trigger_type'],
})
