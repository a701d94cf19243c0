import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/recordings/{id}', {
  summary: 'Show a recording',
  examples: ['recording show rec_01 --workspace acme'],
})
