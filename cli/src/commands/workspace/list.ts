import { listCommand } from '../../lib/list-command.js'

export default listCommand('/workspaces', {
  summary: 'List workspaces',
  examples: ['workspace list', 'workspace list --search acme --json'],
  host: 'operator',
  shown: ['id', 'title', 'country_code', 'credit_balance', 'created_at'],
  hidden: [
    'is_suspended',
    'max_concurrent_calls',
    'max_calls_per_second',
    'allowed_countries',
    'call_recording',
    'call_internal_recording',
    'call_signing',
    'credit_held',
    'credit_available',
    'max_spend_per_hour',
    'max_spend_per_day',
    'rate_deck_id',
    'spent_this_hour',
    'spent_today',
    'recording_retention_days',
    'updated_at',
  ],
  search: 'ids and titles',
  sortFields: ['created_at', 'title', 'id'],
  filters: ['rate_deck_id'],
})
