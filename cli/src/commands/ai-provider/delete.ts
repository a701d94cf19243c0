import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/ai-providers/{id}', {
  summary: 'Delete an AI provider with the keys that workspaces have there',
  examples: ['ai-provider delete aip_01 --yes'],
  host: 'operator',
})
