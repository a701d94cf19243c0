import { createCommand } from '../../lib/resource-commands.js'
import { webhookFields } from '../../resources/webhook.js'

export default createCommand('/webhooks', {
  summary: 'Create a webhook',
  description: 'The secret that its deliveries are signed with is shown this once.',
  examples: [
    'webhook create --workspace acme --url https://shop.example/calls --events call.answered,call.ended',
  ],
  fields: webhookFields,
})
