import { addressOf } from '../../../lib/gateway-uris.js'
import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/sip-trunks/gateways', {
  summary: 'List outbound gateways',
  examples: ['trunk gateway list --workspace acme'],
  shown: ['id', 'title', 'outbound_caller_id', 'addresses'],
  hidden: ['username', 'is_signing', 'created_at', 'updated_at'],
  cells: {
    addresses: ({ outbound_uris }) => outbound_uris.map(addressOf),
    username: ({ credential }) => credential?.username,
  },
  search: 'titles',
  sortFields: ['created_at', 'title'],
})
