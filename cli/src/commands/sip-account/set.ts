import { setCommand } from '../../lib/resource-commands.js'
import { sipAccountFields } from '../../resources/sip-account.js'

export default setCommand('/sip-accounts/{id}', {
  summary: 'Change a SIP account',
  examples: [
    'sip-account set si_01 --workspace acme --title Lobby --caller-id 12025550199',
    'sip-account set si_01 --workspace acme --caller-id none',
  ],
  fields: sipAccountFields,
})
