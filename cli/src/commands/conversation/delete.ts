import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/conversations/{id}', {
  summary: 'Delete a conversation with its messages, their files and its notes',
  description: 'Its id is in the console’s URL, and in events about its messages.',
  examples: ['conversation delete conv_01 --workspace acme --yes'],
})
