import { showCommand } from '../../../lib/resource-commands.js'

export default showCommand('/voice-agents/{id}/evaluations/scripts/{scriptId}', {
  summary: 'Show a script of a voice agent',
  examples: ['voice-agent script show va_01 evs_01 --workspace acme --json'],
  args: { id: 'id of the voice agent', scriptId: 'id of the script' },
})
