import { text } from '../../lib/fields.js'
import { longText } from '../../lib/file-fields.js'
import { createCommand } from '../../lib/resource-commands.js'

export default createCommand('/voice-agents', {
  summary: 'Create a voice agent',
  description: 'Its first version is made of the instructions, and published.',
  examples: [
    'voice-agent create --workspace acme --name "Front desk" --instructions "Answer questions about opening hours."',
    'voice-agent create --workspace acme --name "Front desk" --instructions-file desk.txt',
  ],
  fields: {
    name: text('name', '3 to 30 characters', { ask: 'Name' }),
    instructions: longText('instructions', 'what the model is told', { ask: 'Instructions' }),
    conversation: text('conversation', 'conversation in which they were written', { helpValue: '<aic_…>' }),
    response: text('response_id', 'response that they are', { helpValue: '<air_…>' }),
  },
})
