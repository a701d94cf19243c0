import { showCommand } from '../../../lib/resource-commands.js'

export default showCommand('/message-settings', {
  summary: 'Show the words by which clients opt out and what they are answered',
  examples: ['message settings show --workspace acme'],
})
