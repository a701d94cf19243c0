import { secret } from '../../../lib/file-fields.js'
import { actCommand } from '../../../lib/resource-commands.js'

export default actCommand('put', '/voice-agents/providers/{id}/key', {
  summary: 'Use a key of your own with a provider, in place of the platform’s',
  examples: ['voice-agent provider set-key aip_01 --workspace acme --key-file key'],
  args: { id: 'id of the provider' },
  fields: { key: secret('api_key', 'the key', 'Key') },
  message: ({ name }) => `Calls use your key with ${name}.`,
})
