import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/agents/{id}', {
  summary: 'Delete an agent',
  examples: ['agent delete ag_01 --workspace acme --yes'],
})
