import { deleteCommand } from '../../../lib/resource-commands.js'

export default deleteCommand('/sip-trunks/gateways/{id}', {
  summary: 'Delete an outbound gateway',
  examples: ['trunk gateway delete gw_01 --workspace acme --yes'],
})
