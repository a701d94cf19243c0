import { listCommand } from '../../lib/list-command.js'

export default listCommand('/opt-outs', {
  summary: 'List opt-outs',
  examples: [
    'opt-out list --workspace acme --search 5550199',
    'opt-out list --workspace acme --filter phone_number_id=pn_01 --all --csv',
  ],
  shown: ['client_number', 'system_number', 'created_at'],
  hidden: ['phone_number_id'],
  search: 'the clients’ numbers',
  sortFields: ['created_at'],
  filters: ['phone_number_id', 'from', 'to_date'],
})
