import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/agents/{id}', {
  summary: 'Show an agent',
  examples: ['agent show ag_01 --workspace acme'],
})
