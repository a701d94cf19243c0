import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/webhooks/{id}/resend-failed', {
  summary: 'Send all failed deliveries of a webhook again',
  examples: ['webhook resend-failed wh_01 --workspace acme'],
})
