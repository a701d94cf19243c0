import { listCommand } from '../../lib/list-command.js'

export default listCommand('/calls', {
  summary: 'List calls',
  examples: [
    'call list --workspace acme --search 2025550100',
    'call list --workspace acme --filter status=live',
    'call list --workspace acme --filter outcome=unanswered --all --csv',
    'call list --workspace acme --all --filter status=failed --filter from=2026-03-01T00:00:00Z --csv',
  ],
  shown: ['id', 'from', 'to', 'status', 'outcome', 'duration', 'cost', 'created_at'],
  hidden: [
    ...(['direction', 'from_name', 'to_name', 'agent', 'sip_account_id', 'agent_id'] as const),
    ...(['hangup_cause', 'sip_code', 'caller_verification', 'forwarded_from'] as const),
    ...(['answered_at', 'ended_at', 'abandoned_in', 'ended_by', 'answered_by', 'missed_by'] as const),
    ...(['contact', 'team', 'queue', 'phone_number', 'call_flow'] as const),
    ...(['wait_seconds', 'ring_seconds', 'talk_seconds', 'hold_seconds'] as const),
  ],
  cells: {
    id: ({ call_id }) => call_id,
    agent: ({ agent }) => agent?.username,
    caller_verification: ({ caller_verification }) => caller_verification?.status,
    answered_by: ({ answered_by }) => answered_by?.name,
    missed_by: ({ missed_by }) => missed_by.map(({ username }) => username).join(' '),
    contact: ({ contact }) => contact?.name,
    team: ({ team }) => team?.title,
    queue: ({ queue }) => queue?.title,
    phone_number: ({ phone_number }) => phone_number?.number,
    call_flow: ({ call_flow }) => call_flow?.title,
  },
  search: 'phone numbers and names',
  sortFields: ['created_at', 'duration', 'cost', 'wait_seconds', 'talk_seconds'],
  filters: [
    ...(['status', 'outcome', 'direction', 'agent_id', 'team_id'] as const),
    ...(['phone_number_id', 'call_flow_id', 'from', 'to_date'] as const),
  ],
})
