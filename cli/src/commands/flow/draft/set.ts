import { actCommand } from '../../../lib/resource-commands.js'
import { flowFields, flowOf, withNodeNames } from '../../../resources/flow.js'

export default actCommand('put', '/call-flows/{id}/draft', {
  summary: 'Store the draft of a call flow',
  description: 'Calls run the published version until the draft is published. It may be incomplete.',
  examples: ['flow draft set cf_01 --workspace acme --file welcome.json'],
  args: { id: 'id of the call flow' },
  fields: { file: flowFields.file },
  finish: (body) => ({ nodes: (flowOf(body) as { nodes?: unknown }).nodes }),
  reword: withNodeNames,
  message: ({ call_flow_id, revision }) =>
    `The draft of ${call_flow_id} is saved, revision ${String(revision)}.`,
})
