import { listCommand } from '../../lib/list-command.js'

export default listCommand('/audios', {
  summary: 'List audios',
  examples: [
    'audio list --workspace acme',
    'audio list --workspace acme --filter source=tts --sort duration',
  ],
  shown: ['id', 'title', 'source', 'duration', 'created_at'],
  hidden: ['text', 'size', 'updated_at'],
  search: 'titles',
  sortFields: ['created_at', 'title'],
})
