import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/webhooks/{id}/rotate-secret', {
  summary: 'Give a webhook a new secret, which is shown this once',
  examples: ['webhook rotate-secret wh_01 --workspace acme'],
})
