import { createCommand } from '../../../lib/resource-commands.js'
import { toolFields } from '../../../resources/voice-agent.js'

export default createCommand('/voice-agents/{id}/tools', {
  summary: 'Create a tool: a webhook that a voice agent can call',
  description: 'Enable it in the settings of a version: voice-agent settings --tools.',
  examples: [
    'voice-agent tool create va_01 --workspace acme --name find_order --description "Finds an order by its number" --url https://shop.example/orders --parameters parameters.json --required order_number',
  ],
  args: { id: 'id of the voice agent' },
  fields: toolFields,
})
