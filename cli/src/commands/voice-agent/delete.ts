import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/voice-agents/{id}', {
  summary: 'Delete a voice agent',
  examples: ['voice-agent delete va_01 --workspace acme --yes'],
})
