import { setCommand } from '../../lib/resource-commands.js'
import { aiProviderFields } from '../../resources/ai-provider.js'

export default setCommand('/ai-providers/{id}', {
  summary: 'Change an AI provider, for new calls',
  examples: [
    'ai-provider set aip_01 --key-file new-key',
    'ai-provider set aip_01 --price 0.08',
    'ai-provider set aip_01 --no-active',
  ],
  host: 'operator',
  fields: aiProviderFields,
})
