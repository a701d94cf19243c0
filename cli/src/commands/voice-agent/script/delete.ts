import { deleteCommand } from '../../../lib/resource-commands.js'

export default deleteCommand('/voice-agents/{id}/evaluations/scripts/{scriptId}', {
  summary: 'Delete a script of a voice agent',
  examples: ['voice-agent script delete va_01 evs_01 --workspace acme --yes'],
  args: { id: 'id of the voice agent', scriptId: 'id of the script' },
})
