import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/contacts/{id}', {
  summary: 'Delete a contact',
  examples: ['contact delete con_01 --workspace acme --yes'],
})
