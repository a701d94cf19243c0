import { createCommand } from '../../lib/resource-commands.js'
import { secretField, webhookFields } from '../../resources/webhook.js'

export default createCommand('/webhooks', {
  summary: 'Create a webhook',
  description: 'The secret that signs its deliveries is shown only once.',
  examples: [
    'webhook create --workspace acme --url https://shop.example/calls --events call.answered,call.ended',
    'webhook create --workspace acme --url https://n8n.example/hook --events "*" --header X-Api-Key=k_12',
  ],
  fields: { ...webhookFields, ...secretField },
})
