import { choice } from '../../lib/fields.js'
import { createCommand } from '../../lib/resource-commands.js'
import { aiProviderFields } from '../../resources/ai-provider.js'

export default createCommand('/ai-providers', {
  summary: 'Connect an AI provider for voice agents',
  examples: [
    'ai-provider create --name openai --key-file openai-key --model gpt-realtime --voice marin=Marin',
    'ai-provider create --name own --base-url ws://10.0.0.5:8000/v1 --protocol beta --model voice-1 --price 0.02',
    'ai-provider create --name house --kind cascaded --settings-file house.json --model house-1=House',
  ],
  host: 'operator',
  fields: {
    kind: choice('kind', 'what it speaks; without it openai_realtime', ['openai_realtime', 'cascaded'], {
      otherwise: 'openai_realtime',
    }),
    ...aiProviderFields,
  },
})
