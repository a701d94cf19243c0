import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/workspaces/{id}', {
  summary: 'Show a workspace',
  examples: ['workspace show acme'],
  host: 'operator',
})
