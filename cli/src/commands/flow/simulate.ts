import { pathOf } from '../../lib/flow-path.js'
import { actCommand } from '../../lib/resource-commands.js'
import { trialFields } from '../../resources/flow-trial.js'

export default actCommand('post', '/call-flows/{id}/simulate', {
  summary: 'Try a call flow without a telephone',
  description: 'Shows the path that a call would take. No phone rings, and no server is called.',
  examples: [
    'flow simulate cf_01 --workspace acme --keys 1,4711#',
    'flow simulate cf_01 --workspace acme --caller +4930123456 --time 2026-12-25T10:00:00+01:00',
    `flow simulate cf_01 --workspace acme --keys 2 --contact '{"name":"Ada"}' --outcome sales=busy`,
  ],
  fields: trialFields,
  message: pathOf,
})
