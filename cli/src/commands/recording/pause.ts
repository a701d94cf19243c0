import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/recordings/{id}/pause', {
  summary: 'Record silence in place of what is said',
  examples: ['recording pause rec_01 --workspace acme'],
  args: { id: 'id of the recording' },
  told: ({ id }) => `${id} is paused.`,
})
