import { listCommand } from '../../lib/list-command.js'

export default listCommand('/address-books', {
  summary: 'List address books',
  examples: ['address-book list --workspace acme'],
  shown: ['id', 'title', 'contact_count', 'shared_teams_id'],
  hidden: ['created_at', 'updated_at'],
  search: 'titles',
  sortFields: ['created_at', 'title'],
})
