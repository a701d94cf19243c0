import { createCommand } from '../../lib/resource-commands.js'
import { flowFields, flowOf, withNodeNames } from '../../resources/flow.js'

export default createCommand('/call-flows', {
  summary: 'Create a call flow from a JSON file',
  description: 'The graph of its nodes is validated; each problem is reported with its node.',
  examples: ['flow create --workspace acme --file welcome.json --title Welcome --trigger inbound'],
  fields: flowFields,
  finish: flowOf,
  reword: withNodeNames,
})
