import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/push-credentials/{id}', {
  summary: 'Delete a push credential',
  examples: ['push-credential delete pc_01 --workspace acme --yes'],
})
