import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/contacts/{id}', {
  summary: 'Show a contact',
  examples: ['contact show con_01 --workspace acme'],
})
