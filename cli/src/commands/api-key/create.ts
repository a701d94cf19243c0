import { choice, text, yesNo } from '../../lib/fields.js'
import { createCommand } from '../../lib/resource-commands.js'

export default createCommand('/api-keys', {
  summary: 'Create an API key',
  description: 'The key is shown only once.',
  examples: ['api-key create --workspace acme --scope full --role owner'],
  fields: {
    scope: choice('scope', 'any reads, full also writes', ['any', 'full'], { ask: 'Scope' }),
    role: choice('role', 'what the key’s holder is', ['owner', 'editor', 'viewer'], { ask: 'Role' }),
    'signs-clients': yesNo(
      'signs_clients',
      'whether it signs client JWTs; by default keys do that may write',
    ),
    title: text('title', 'name that people read'),
  },
})
