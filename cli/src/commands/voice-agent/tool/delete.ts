import { deleteCommand } from '../../../lib/resource-commands.js'

export default deleteCommand('/voice-agents/{id}/tools/{toolId}', {
  summary: 'Delete a tool of a voice agent',
  args: { id: 'id of the voice agent', toolId: 'id of the tool' },
  examples: ['voice-agent tool delete va_01 vat_01 --workspace acme --yes'],
})
