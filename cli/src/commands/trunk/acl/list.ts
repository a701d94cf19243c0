import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/sip-trunks/acls', {
  summary: 'List inbound ACLs',
  examples: ['trunk acl list --workspace acme'],
  shown: ['id', 'title', 'mode', 'allowed_ips'],
  hidden: ['unverified_callers', 'trusts_identity', 'created_at', 'updated_at'],
  search: 'titles',
  sortFields: ['created_at', 'title'],
})
