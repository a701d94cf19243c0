import { showCommand } from '../../../lib/resource-commands.js'

export default showCommand('/voice-agents/{id}/tools/{toolId}', {
  summary: 'Show a tool of a voice agent',
  args: { id: 'id of the voice agent', toolId: 'id of the tool' },
  examples: ['voice-agent tool show va_01 vat_01 --workspace acme'],
})
