import { listCommand } from '../../lib/list-command.js'

export default listCommand('/recordings', {
  summary: 'List recordings and voicemail',
  examples: [
    'recording list --workspace acme',
    'recording list --workspace acme --filter kind=voicemail',
    'recording list --workspace acme --filter call_id=call_01 --json',
  ],
  shown: ['id', 'kind', 'from', 'to', 'status', 'duration', 'created_at'],
  hidden: ['call_id', 'format', 'channels', 'size', 'error', 'ended_at', 'expires_at'],
  sortFields: ['created_at'],
  filters: ['call_id', 'kind'],
})
