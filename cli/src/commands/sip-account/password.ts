import { secret } from '../../lib/file-fields.js'
import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('patch', '/sip-accounts/{id}', {
  summary: 'Change the password of a SIP account',
  description: 'Its phones lose their registration at once.',
  examples: [
    'sip-account password si_01 --workspace acme',
    'sip-account password si_01 --workspace acme --password-file password.txt',
  ],
  fields: { password: secret('password', '6 to 50 characters', 'New password') },
  message: ({ username, domain }) => `${username}@${domain} has a new password.`,
})
