import { readable } from '../../../lib/gateway-uris.js'
import { showCommand } from '../../../lib/resource-commands.js'

export default showCommand('/sip-trunks/gateways/{id}', {
  summary: 'Show an outbound gateway',
  examples: ['trunk gateway show gw_01 --workspace acme'],
  readable,
})
