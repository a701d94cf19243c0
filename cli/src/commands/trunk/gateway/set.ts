import { yesNo } from '../../../lib/fields.js'
import { readable } from '../../../lib/gateway-uris.js'
import { setCommand } from '../../../lib/resource-commands.js'
import { gatewayFields } from '../../../resources/gateway.js'

export default setCommand('/sip-trunks/gateways/{id}', {
  summary: 'Change an outbound gateway',
  description: 'The given addresses replace all existing ones.',
  examples: [
    'trunk gateway set gw_01 --workspace acme --uri sip2.carrier.example',
    'trunk gateway set gw_01 --workspace acme --codecs PCMA,PCMU',
    'trunk gateway set gw_01 --workspace acme --approved',
  ],
  fields: {
    ...gatewayFields,
    approved: yesNo(
      'is_approved',
      'you as the operator approve where it leads: also to private networks, ports below 1024 and carriers of other workspaces',
    ),
  },
  readable,
})
