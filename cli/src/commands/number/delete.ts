import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/phone-numbers/{id}', {
  summary: 'Delete a phone number',
  examples: ['number delete pn_01 --workspace acme --yes'],
})
