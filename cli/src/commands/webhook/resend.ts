import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/webhooks/{id}/deliveries/{delivery_id}/resend', {
  summary: 'Send a delivery again',
  examples: ['webhook resend wh_01 whd_01 --workspace acme'],
  args: { id: 'id of the webhook', delivery_id: 'id of the delivery' },
})
