import { text } from '../../lib/fields.js'
import { setCommand } from '../../lib/resource-commands.js'

export default setCommand('/voice-agents/{id}', {
  summary: 'Rename a voice agent',
  description: 'Its behaviour is changed with voice-agent settings.',
  examples: ['voice-agent set va_01 --workspace acme --name "Night desk"'],
  fields: { name: text('name', '3 to 30 characters') },
})
