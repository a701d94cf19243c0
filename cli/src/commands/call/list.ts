import { listCommand } from '../../lib/list-command.js'

export default listCommand('/calls', {
  summary: 'List calls',
  examples: [
    'call list --workspace acme --search 2025550100',
    'call list --workspace acme --filter status=live',
    'call list --workspace acme --all --filter status=failed --filter from=2026-03-01T00:00:00Z --csv',
  ],
  shown: ['id', 'from', 'to', 'status', 'duration', 'cost', 'created_at'],
  hidden: [
    ...(['direction', 'from_name', 'to_name', 'agent', 'sip_account_id', 'agent_id'] as const),
    ...(['hangup_cause', 'sip_code', 'caller_verification', 'forwarded_from'] as const),
    ...(['answered_at', 'ended_at'] as const),
  ],
  cells: {
    id: ({ call_id }) => call_id,
    agent: ({ agent }) => agent?.username,
    caller_verification: ({ caller_verification }) => caller_verification?.status,
  },
  search: 'phone numbers',
  sortFields: ['created_at', 'duration', 'cost'],
  filters: ['status', 'direction', 'agent_id', 'from', 'to_date'],
})
