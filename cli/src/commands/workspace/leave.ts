import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('delete', '/workspaces/{id}/entries', {
  summary: 'End the operator’s entries into a workspace',
  examples: ['workspace leave acme'],
  host: 'operator',
  message: ({ ended }) => `Entries ended: ${String(ended)}`,
})
