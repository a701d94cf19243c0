import { listCommand } from '../../lib/list-command.js'

export default listCommand('/sip-accounts', {
  summary: 'List SIP accounts',
  examples: ['sip-account list --workspace acme', 'sip-account list --workspace acme --search reception'],
  shown: ['id', 'username', 'domain', 'title', 'outbound_caller_id'],
  hidden: ['max_concurrent_calls', 'created_at', 'updated_at'],
  search: 'titles and usernames',
  sortFields: ['created_at', 'title'],
  filters: ['outbound_caller_id'],
})
