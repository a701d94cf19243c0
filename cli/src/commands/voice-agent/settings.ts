import { actCommand } from '../../lib/resource-commands.js'
import { settingsFields } from '../../resources/voice-agent.js'

export default actCommand('patch', '/voice-agents/{id}/settings', {
  summary: 'Change the settings of a voice agent’s version',
  examples: [
    'voice-agent settings va_01 --workspace acme --version 2 --greeting "Acme, good evening." --no-noise-reduction',
    'voice-agent settings va_01 --workspace acme --version 2 --instructions-file night.txt --tools vat_01,vat_02',
  ],
  fields: settingsFields,
  readable: ({ settings }) => settings,
})
