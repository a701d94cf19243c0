import { actCommand } from '../../lib/resource-commands.js'
import { rotationFields } from '../../resources/webhook.js'

export default actCommand('post', '/webhooks/{id}/rotate-secret', {
  summary: 'Give a webhook a new secret, which is shown this once',
  description: 'The old secret signs too for a day, or for as long as you say.',
  examples: [
    'webhook rotate-secret wh_01 --workspace acme',
    'webhook rotate-secret wh_01 --workspace acme --previous-valid-for 0',
  ],
  fields: rotationFields,
})
