import { showCommand } from '../../../lib/resource-commands.js'

export default showCommand('/call-flows/{id}/draft', {
  summary: 'Show the draft of a call flow',
  examples: ['flow draft show cf_01 --workspace acme'],
  args: { id: 'id of the call flow' },
})
