import { listCommand } from '../../lib/list-command.js'

export default listCommand('/erasures', {
  summary: 'List requests to delete everything of one person',
  examples: ['erasure list --workspace acme'],
  shown: ['id', 'label', 'status', 'created_at', 'ended_at'],
  hidden: ['started_at'],
  sortFields: ['created_at'],
})
