import { setCommand } from '../../lib/resource-commands.js'
import { flowFields, flowOf, withNodeNames } from '../../resources/flow.js'

export default setCommand('/call-flows/{id}', {
  summary: 'Change a call flow',
  examples: [
    'flow set cf_01 --workspace acme --file welcome.json',
    'flow set cf_01 --workspace acme --title "Welcome, and office hours"',
    'flow set cf_01 --workspace acme --dial-code "*98"',
  ],
  fields: flowFields,
  finish: flowOf,
  reword: withNodeNames,
})
