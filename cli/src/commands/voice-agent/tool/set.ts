import { setCommand } from '../../../lib/resource-commands.js'
import { toolFields } from '../../../resources/voice-agent.js'

export default setCommand('/voice-agents/{id}/tools/{toolId}', {
  summary: 'Change a tool of a voice agent',
  examples: ['voice-agent tool set va_01 vat_01 --workspace acme --no-active'],
  args: { id: 'id of the voice agent', toolId: 'id of the tool' },
  fields: toolFields,
})
