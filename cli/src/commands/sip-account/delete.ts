import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/sip-accounts/{id}', {
  summary: 'Delete a SIP account',
  examples: ['sip-account delete si_01 --workspace acme --yes'],
})
