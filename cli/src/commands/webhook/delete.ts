import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/webhooks/{id}', {
  summary: 'Delete a webhook',
  examples: ['webhook delete wh_01 --workspace acme --yes'],
})
