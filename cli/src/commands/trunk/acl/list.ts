import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/sip-trunks/acls', {
  summary: 'List inbound ACLs',
  examples: ['trunk acl list --workspace acme'],
  shown: ['id', 'title', 'mode', 'allowed_ips'],
  hidden: [
    ...(['unverified_callers', 'trusts_identity', 'country', 'inbound_number_format'] as const),
    ...(['inbound_number_prefix', 'called_number_from', 'created_at', 'updated_at'] as const),
  ],
  search: 'titles',
  sortFields: ['created_at', 'title'],
})
