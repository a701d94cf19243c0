import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/recordings/{id}', {
  summary: 'Delete a recording',
  examples: ['recording delete rec_01 --workspace acme --yes'],
})
