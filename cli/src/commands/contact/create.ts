import { createCommand } from '../../lib/resource-commands.js'
import { contactFields } from '../../resources/contact.js'

export default createCommand('/contacts', {
  summary: 'Create a contact',
  examples: [
    'contact create --workspace acme --name "Anna Smith" --numbers +12025550123 --email anna@example.com --field customer=4711',
  ],
  fields: contactFields,
})
