import { listCommand } from '../../lib/list-command.js'

export default listCommand('/contacts', {
  summary: 'List contacts',
  examples: [
    'contact list --workspace acme --search anna',
    'contact list --workspace acme --filter number=+12025550123',
  ],
  shown: ['id', 'name', 'numbers', 'email', 'address_book_id'],
  hidden: ['notes', 'custom_fields', 'created_at', 'updated_at'],
  search: 'names, numbers and e-mail addresses',
  sortFields: ['created_at', 'name'],
  filters: ['address_book_id', 'number'],
})
