import { text } from '../../lib/fields.js'
import { longText } from '../../lib/file-fields.js'
import { createCommand } from '../../lib/resource-commands.js'

export default createCommand('/voice-agents/instructions', {
  summary: 'Write instructions for a voice agent with a text model',
  description: 'To revise a draft, pass its conversation with the next prompt.',
  examples: [
    'voice-agent instructions --workspace acme --prompt "Answers for a dentist, and takes appointments."',
    'voice-agent instructions --workspace acme --conversation aic_01 --prompt "Make it shorter."',
  ],
  fields: {
    prompt: longText('prompt', 'what the voice agent is for, or what is to be changed', { ask: 'Prompt' }),
    conversation: text('conversation', 'conversation to continue', { helpValue: '<aic_…>' }),
    response: text('response_id', 'response of it to go on from; the latest by default', {
      helpValue: '<air_…>',
    }),
  },
})
