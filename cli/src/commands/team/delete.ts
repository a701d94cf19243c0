import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/teams/{id}', {
  summary: 'Delete a team',
  examples: ['team delete te_01 --workspace acme --yes'],
})
