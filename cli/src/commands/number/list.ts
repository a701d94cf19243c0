import { listCommand } from '../../lib/list-command.js'

export default listCommand('/phone-numbers', {
  summary: 'List phone numbers',
  examples: [
    'number list --workspace acme',
    'number list --workspace acme --filter status=pending --sort title --columns id,number,title',
    'number list --workspace acme --filter capability=sms',
    'number list --workspace acme --filter call_flow_id=none --all --csv',
  ],
  shown: ['id', 'number', 'title', 'status', 'is_verified', 'capabilities', 'enable_outbound'],
  hidden: [
    ...(['country_code', 'dial_code', 'type', 'provider', 'inbound_acl_id', 'outbound_gateway_id'] as const),
    ...([
      'call_flow_id',
      'shared_teams_id',
      'record_outbound',
      'verified_by',
      'verified_at',
      'fee_per_month',
      'fee_per_mins_call',
      'fee_per_segment',
      'fee_per_mms',
    ] as const),
    ...(['created_at', 'updated_at'] as const),
  ],
  cells: { number: ({ number }) => `+${number}` },
  search: 'titles and numbers',
  sortFields: ['created_at', 'title', 'number'],
  filters: ['capability', 'status', 'type', 'enable_outbound', 'call_flow_id', 'team_id'],
})
