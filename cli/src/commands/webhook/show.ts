import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/webhooks/{id}', {
  summary: 'Show a webhook',
  examples: ['webhook show wh_01 --workspace acme'],
})
