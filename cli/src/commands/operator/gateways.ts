import { addressOf, answering } from '../../lib/gateway-uris.js'
import { listCommand } from '../../lib/list-command.js'

export default listCommand('/operator/gateways', {
  summary: 'List the outbound gateways of all workspaces',
  examples: ['operator gateways', 'operator gateways --filter state=pending_approval'],
  host: 'operator',
  shown: ['id', 'workspace_id', 'title', 'state', 'addresses', 'reachable'],
  hidden: [
    'outbound_caller_id',
    'username',
    'is_signing',
    'media_encryption',
    'codecs',
    'options_ping',
    'forwarded_calls',
    'forwarded_caller',
    'short_numbers',
    'is_approved',
    'created_at',
    'updated_at',
  ],
  cells: {
    addresses: ({ outbound_uris }) => outbound_uris.map(addressOf),
    reachable: answering,
    username: ({ credential }) => credential?.username,
  },
  search: 'titles',
  sortFields: ['created_at', 'title'],
  filters: ['state', 'workspace_id'],
})
