import { setCommand } from '../../lib/resource-commands.js'
import { webhookFields } from '../../resources/webhook.js'

export default setCommand('/webhooks/{id}', {
  summary: 'Change a webhook',
  examples: [
    'webhook set wh_01 --workspace acme --events call.ended',
    'webhook set wh_01 --workspace acme --active',
  ],
  fields: webhookFields,
})
