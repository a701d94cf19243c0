import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/workspaces/{id}', {
  summary: 'Delete a workspace and all that belongs to it',
  examples: ['workspace delete acme --yes'],
  host: 'operator',
  question: (id) => `Delete the workspace ${id} with its numbers, calls and credit?`,
})
