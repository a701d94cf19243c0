import { createCommand } from '../../lib/resource-commands.js'
import { addressBookFields } from '../../resources/address-book.js'

export default createCommand('/address-books', {
  summary: 'Create an address book',
  examples: ['address-book create --workspace acme --title Customers --teams te_01,te_02'],
  fields: addressBookFields,
})
