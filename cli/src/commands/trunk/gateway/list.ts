import { addressOf, answering } from '../../../lib/gateway-uris.js'
import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/sip-trunks/gateways', {
  summary: 'List outbound gateways',
  examples: [
    'trunk gateway list --workspace acme',
    'trunk gateway list --workspace acme --filter state=pending_approval',
  ],
  shown: ['id', 'title', 'state', 'registration', 'addresses', 'reachable'],
  hidden: [
    ...(['outbound_caller_id', 'username', 'from_user', 'from_domain', 'contact_host'] as const),
    ...(['request_domain', 'country', 'number_format', 'number_prefix'] as const),
    ...(['register', 'register_user', 'register_domain', 'register_expires'] as const),
    ...([
      'caller_number_format',
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
    ] as const),
  ],
  cells: {
    addresses: ({ outbound_uris }) => outbound_uris.map(addressOf),
    reachable: answering,
    registration: ({ registration }) => registration?.status,
    username: ({ credential }) => credential?.username,
  },
  search: 'titles',
  sortFields: ['created_at', 'title'],
  filters: ['state'],
})
