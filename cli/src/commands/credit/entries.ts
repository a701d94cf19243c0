import { listCommand } from '../../lib/list-command.js'

export default listCommand('/credit/entries', {
  summary: 'List what changed the credit of a workspace',
  examples: ['credit entries --workspace acme', 'credit entries --workspace acme --all --csv'],
  shown: ['created_at', 'amount', 'balance', 'reason', 'reference', 'note'],
  hidden: ['id'],
  sortFields: ['created_at'],
})
