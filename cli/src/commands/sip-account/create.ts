import { text } from '../../lib/fields.js'
import { secret } from '../../lib/file-fields.js'
import { createCommand } from '../../lib/resource-commands.js'
import { sipAccountFields } from '../../resources/sip-account.js'

export default createCommand('/sip-accounts', {
  summary: 'Create a SIP account, which a phone registers with',
  description: 'The phone needs the domain from the output, the username and the password.',
  examples: [
    'sip-account create --workspace acme --username reception --title Reception --password-file password.txt',
  ],
  fields: {
    username: text('username', '3 to 30 lowercase letters and digits', { ask: 'Username' }),
    ...sipAccountFields,
    password: secret('password', '6 to 50 characters', 'Password'),
  },
})
