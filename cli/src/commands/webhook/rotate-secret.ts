import { actCommand } from '../../lib/resource-commands.js'
import { rotationFields } from '../../resources/webhook.js'

export default actCommand('post', '/webhooks/{id}/rotate-secret', {
  summary: 'Replace the secret of a webhook; it is shown only once',
  description: 'The old secret also signs for a day, or for as long as you set.',
  examples: [
    'webhook rotate-secret wh_01 --workspace acme',
    'webhook rotate-secret wh_01 --workspace acme --previous-valid-for 0',
  ],
  fields: rotationFields,
})
