import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/push-credentials/{id}/test', {
  summary: 'Test a push credential with the push service',
  examples: ['push-credential test pc_01 --workspace acme'],
})
