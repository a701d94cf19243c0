import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/address-books/{id}', {
  summary: 'Show an address book',
  examples: ['address-book show ab_01 --workspace acme'],
})
