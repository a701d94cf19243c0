import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/recordings/{id}/resume', {
  summary: 'Resume a paused recording',
  examples: ['recording resume rec_01 --workspace acme'],
  args: { id: 'id of the recording' },
  message: ({ id }) => `${id} is recording again.`,
})
