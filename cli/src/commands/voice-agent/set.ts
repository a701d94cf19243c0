import { text } from '../../lib/fields.js'
import { setCommand } from '../../lib/resource-commands.js'

export default setCommand('/voice-agents/{id}', {
  summary: 'Rename a voice agent',
  description: 'What it says and does is set by voice-agent settings.',
  examples: ['voice-agent set va_01 --workspace acme --name "Night desk"'],
  fields: { name: text('name', '3 to 30 characters') },
})
