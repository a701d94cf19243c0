import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/recordings/{id}/pause', {
  summary: 'Pause a recording: it records silence',
  examples: ['recording pause rec_01 --workspace acme'],
  args: { id: 'id of the recording' },
  message: ({ id }) => `${id} is paused.`,
})
