import { setCommand } from '../../lib/resource-commands.js'
import { addressBookFields } from '../../resources/address-book.js'

export default setCommand('/address-books/{id}', {
  summary: 'Change an address book',
  examples: ['address-book set ab_01 --workspace acme --teams none'],
  fields: addressBookFields,
})
