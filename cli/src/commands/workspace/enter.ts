import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/workspaces/{id}/entries', {
  summary: 'Make a link at which the operator enters a workspace’s console',
  description: 'The link works once within two minutes; the entry lasts an hour. The audit logs note it.',
  examples: ['workspace enter acme'],
  host: 'operator',
})
