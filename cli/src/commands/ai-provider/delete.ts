import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/ai-providers/{id}', {
  summary: 'Delete an AI provider and the workspaces’ keys for it',
  examples: ['ai-provider delete aip_01 --yes'],
  host: 'operator',
})
