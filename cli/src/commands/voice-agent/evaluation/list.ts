import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/voice-agents/{id}/evaluations', {
  summary: 'List the evaluations of a voice agent, newest first',
  examples: [
    'voice-agent evaluation list va_01 --workspace acme',
    'voice-agent evaluation list va_01 --workspace acme --filter version=2',
  ],
  args: { id: 'id of the voice agent' },
  shown: ['id', 'version', 'status', 'passed', 'total', 'is_stale', 'created_at'],
  hidden: ['error', 'ended_at'],
  sortFields: [],
  filters: ['version'],
})
