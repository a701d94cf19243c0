import { readable } from '../../../lib/gateway-uris.js'
import { createCommand } from '../../../lib/resource-commands.js'
import { gatewayFields } from '../../../resources/gateway.js'

export default createCommand('/sip-trunks/gateways', {
  summary: 'Create an outbound gateway',
  description: 'Addresses are tried in the order in which they are given.',
  examples: [
    'trunk gateway create --workspace acme --title Carrier --caller-id +12025550199 --uri sip.carrier.example --uri "192.0.2.10:5061;transport=tls"',
  ],
  fields: gatewayFields,
  readable,
})
