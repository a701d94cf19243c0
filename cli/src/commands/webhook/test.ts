import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/webhooks/{id}/test', {
  summary: 'Send a test event to a webhook',
  examples: ['webhook test wh_01 --workspace acme'],
})
