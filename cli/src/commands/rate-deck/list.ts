import { listCommand } from '../../lib/list-command.js'

export default listCommand('/rate-decks', {
  summary: 'List rate decks',
  examples: ['rate-deck list'],
  host: 'operator',
  shown: ['id', 'title', 'is_default', 'rates', 'updated_at'],
  hidden: ['created_at'],
  search: 'ids and titles',
  sortFields: ['created_at', 'title'],
})
