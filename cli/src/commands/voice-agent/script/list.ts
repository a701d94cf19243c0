import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/voice-agents/{id}/evaluations/scripts', {
  summary: 'List the scripts of a voice agent',
  examples: ['voice-agent script list va_01 --workspace acme'],
  args: { id: 'id of the voice agent' },
  shown: ['id', 'name', 'turns', 'updated_at'],
  hidden: ['created_at'],
  cells: { turns: ({ turns }) => turns.length },
  sortFields: [],
})
