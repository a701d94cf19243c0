import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/phone-numbers/{id}', {
  summary: 'Show a phone number',
  examples: ['number show pn_01 --workspace acme'],
})
