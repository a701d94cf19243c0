import { setCommand } from '../../lib/resource-commands.js'
import { contactFields } from '../../resources/contact.js'

export default setCommand('/contacts/{id}', {
  summary: 'Change a contact',
  examples: ['contact set con_01 --workspace acme --notes "Calls back on Fridays"'],
  fields: contactFields,
})
