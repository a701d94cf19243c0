import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/voice-agents/{id}/versions', {
  summary: 'List the versions of a voice agent',
  examples: ['voice-agent version list va_01 --workspace acme'],
  args: { id: 'id of the voice agent' },
  shown: ['version', 'updated_at'],
  sortFields: [],
})
