import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/push-credentials/{id}', {
  summary: 'Show a push credential',
  examples: ['push-credential show pc_01 --workspace acme'],
})
