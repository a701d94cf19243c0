import { secret } from '../../lib/file-fields.js'
import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('patch', '/agents/{id}/password', {
  summary: 'Change an agent’s password',
  examples: [
    'agent password ag_01 --workspace acme',
    'agent password ag_01 --workspace acme --password-file password.txt',
  ],
  fields: { password: secret('password', '6 to 50 characters', 'New password') },
  message: ({ username }) => `${username} has a new password.`,
})
