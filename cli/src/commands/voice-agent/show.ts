import { number } from '../../lib/fields.js'
import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/voice-agents/{id}', {
  summary: 'Show a voice agent with the settings of a version',
  examples: [
    'voice-agent show va_01 --workspace acme',
    'voice-agent show va_01 --workspace acme --version 2',
  ],
  query: { version: number('version', 'version whose settings are shown; the latest without') },
})
