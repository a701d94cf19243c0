import { listCommand } from '../../lib/list-command.js'

export default listCommand('/ai-providers', {
  summary: 'List AI providers',
  examples: ['ai-provider list', 'ai-provider list --columns id,name,models'],
  host: 'operator',
  shown: ['id', 'name', 'kind', 'models', 'price_per_minute', 'is_active'],
  hidden: ['voices', 'secrets', 'created_at', 'updated_at'],
  cells: {
    models: ({ models }) => models.map(({ id }) => id).join(', '),
    voices: ({ voices }) => voices.map(({ id }) => id).join(', '),
    secrets: ({ secrets }) => secrets.join(', '),
  },
  search: 'ids and names',
  sortFields: ['created_at', 'name'],
})
