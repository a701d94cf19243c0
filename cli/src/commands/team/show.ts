import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/teams/{id}', {
  summary: 'Show a team',
  examples: ['team show te_01 --workspace acme'],
})
