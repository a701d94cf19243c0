import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/messages/{id}', {
  summary: 'Show a message and what became of it',
  examples: ['message show msg_01 --workspace acme'],
})
