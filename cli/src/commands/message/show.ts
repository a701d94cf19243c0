import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/messages/{id}', {
  summary: 'Show a message and its delivery status',
  examples: ['message show msg_01 --workspace acme'],
})
