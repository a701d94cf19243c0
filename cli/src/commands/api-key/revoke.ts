import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/api-keys/{sid}', {
  summary: 'Revoke an API key',
  examples: ['api-key revoke sid-0123 --workspace acme --yes'],
  args: { sid: 'sid of the key' },
  verb: 'Revoke',
})
