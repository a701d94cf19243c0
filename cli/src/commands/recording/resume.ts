import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/recordings/{id}/resume', {
  summary: 'Go on with a paused recording',
  examples: ['recording resume rec_01 --workspace acme'],
  args: { id: 'id of the recording' },
  told: ({ id }) => `${id} goes on.`,
})
