import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/calls/{id}', {
  summary: 'Delete a call that has ended, with its timeline, transcripts and recordings',
  examples: ['call delete call_01 --workspace acme --yes'],
})
