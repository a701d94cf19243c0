import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/push-credentials/{id}/test', {
  summary: 'Ask the push service whether it takes a push credential',
  examples: ['push-credential test pc_01 --workspace acme'],
})
