import { listCommand } from '../../lib/list-command.js'

export default listCommand('/calls', {
  summary: 'List calls',
  examples: [
    'call list --workspace acme --search 2025550100',
    'call list --workspace acme --all --filter status=failed --csv',
  ],
  shown: ['id', 'from', 'to', 'status', 'duration', 'cost', 'created_at'],
  hidden: ['direction', 'sip_account_id', 'agent_id', 'hangup_cause', 'sip_code', 'answered_at', 'ended_at'],
  cells: { id: ({ call_id }) => call_id },
  search: 'phone numbers',
  sortFields: ['created_at'],
})
