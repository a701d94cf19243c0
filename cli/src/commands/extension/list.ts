import { listCommand } from '../../lib/list-command.js'
import { leadsTo } from '../../resources/extension.js'

export default listCommand('/extensions', {
  summary: 'List extensions',
  examples: [
    'extension list --workspace acme --sort extension_number',
    'extension list --workspace acme --filter destination=team',
  ],
  shown: ['id', 'extension_number', 'title', 'destination', 'leads_to'],
  hidden: [
    ...(['agent_id', 'team_id', 'sip_account_id', 'voice_agent_id', 'is_emergency_number'] as const),
    ...(['created_at', 'updated_at'] as const),
  ],
  cells: { leads_to: leadsTo },
  search: 'titles and numbers',
  sortFields: ['created_at', 'extension_number', 'title'],
  filters: ['destination', 'agent_id', 'team_id', 'sip_account_id', 'voice_agent_id'],
})
