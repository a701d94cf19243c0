import { actCommand } from '../../../lib/resource-commands.js'

export default actCommand('delete', '/call-flows/{id}/draft', {
  summary: 'Discard the draft of a call flow',
  examples: ['flow draft discard cf_01 --workspace acme'],
  args: { id: 'id of the call flow' },
  message: ({ call_flow_id }) => `${call_flow_id} has no draft any more.`,
})
