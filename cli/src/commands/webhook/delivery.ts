import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/webhooks/{id}/deliveries/{delivery_id}', {
  summary: 'Show a delivery with its requests and responses',
  examples: ['webhook delivery wh_01 whd_01 --workspace acme'],
  args: { id: 'id of the webhook', delivery_id: 'id of the delivery' },
})
