import { text } from '../../lib/fields.js'
import { longText } from '../../lib/file-fields.js'
import { createCommand } from '../../lib/resource-commands.js'

export default createCommand('/voice-agents', {
  summary: 'Create a voice agent',
  description: 'Its first version has the instructions, and is published.',
  examples: [
    'voice-agent create --workspace acme --name "Front desk" --instructions "Answer questions about opening hours."',
    'voice-agent create --workspace acme --name "Front desk" --instructions-file desk.txt',
  ],
  fields: {
    name: text('name', '3 to 30 characters', { ask: 'Name' }),
    instructions: longText('instructions', 'system prompt of the model', { ask: 'Instructions' }),
    conversation: text('conversation', 'conversation in which they were written', { helpValue: '<aic_…>' }),
    response: text('response_id', 'response that they are', { helpValue: '<air_…>' }),
  },
})
