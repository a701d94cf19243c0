import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/address-books/{id}', {
  summary: 'Delete an address book',
  examples: ['address-book delete ab_01 --workspace acme --yes'],
})
