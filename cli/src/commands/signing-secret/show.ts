import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/signing-secret', {
  summary: 'Show the age of the secret that signs callbacks',
  examples: ['signing-secret show --workspace acme'],
})
