import { setCommand } from '../../../lib/resource-commands.js'
import { scriptFields, scriptOf } from '../../../resources/voice-agent-script.js'

export default setCommand('/voice-agents/{id}/evaluations/scripts/{scriptId}', {
  summary: 'Replace a script of a voice agent with a file',
  examples: ['voice-agent script set va_01 evs_01 --workspace acme --file opening-hours.json'],
  args: { id: 'id of the voice agent', scriptId: 'id of the script' },
  fields: scriptFields,
  finish: scriptOf,
})
