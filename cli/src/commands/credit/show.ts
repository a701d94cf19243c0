import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/credit', {
  summary: 'Show the credit of a workspace',
  examples: ['credit show --workspace acme'],
  message: ({ workspace_id, balance }) => `The balance of ${workspace_id} is ${String(balance)} USD.`,
})
