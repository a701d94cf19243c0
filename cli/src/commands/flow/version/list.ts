import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/call-flows/{id}/versions', {
  summary: 'List the versions of a call flow',
  examples: ['flow version list cf_01 --workspace acme'],
  args: { id: 'id of the call flow' },
  shown: ['version', 'node_count', 'created_at'],
  hidden: ['created_by'],
  sortFields: [],
})
