import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/signing-secret', {
  summary: 'Show since when callbacks are signed with the present secret',
  examples: ['signing-secret show --workspace acme'],
})
