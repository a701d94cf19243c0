import { showCommand } from '../../../lib/resource-commands.js'

export default showCommand('/message-settings', {
  summary: 'Show the words by which clients opt out, the answers to them, and how texts are written',
  examples: ['message settings show --workspace acme'],
})
