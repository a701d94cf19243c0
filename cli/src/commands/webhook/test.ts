import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/webhooks/{id}/test', {
  summary: 'Send a webhook an event to try it with',
  examples: ['webhook test wh_01 --workspace acme'],
})
