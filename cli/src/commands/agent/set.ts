import { setCommand } from '../../lib/resource-commands.js'
import { agentFields } from '../../resources/agent.js'

export default setCommand('/agents/{id}', {
  summary: 'Change an agent',
  examples: [
    'agent set ag_01 --workspace acme --role supervisor',
    'agent set ag_01 --workspace acme --email none --no-active',
  ],
  fields: agentFields,
})
