import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/calls/{id}/hangup', {
  summary: 'Hang up a call, or cancel it while it rings',
  examples: ['call hangup call_01 --workspace acme'],
  args: { id: 'id of the call' },
  message: ({ call_id }) => `${call_id} is hung up.`,
})
