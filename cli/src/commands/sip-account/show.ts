import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/sip-accounts/{id}', {
  summary: 'Show a SIP account',
  examples: ['sip-account show si_01 --workspace acme'],
})
