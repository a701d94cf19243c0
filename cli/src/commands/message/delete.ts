import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/messages/{id}', {
  summary: 'Delete a message with its files',
  examples: ['message delete msg_01 --workspace acme --yes'],
})
