import { deleteCommand } from '../../../lib/resource-commands.js'

export default deleteCommand('/voice-agents/{id}/version/{version}', {
  summary: 'Delete a version of a voice agent',
  examples: ['voice-agent version delete va_01 2 --workspace acme --yes'],
  args: { id: 'id of the voice agent', version: 'version that goes' },
  question: (version) => `Delete version ${version}?`,
})
