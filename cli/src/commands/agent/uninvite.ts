import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('delete', '/agents/{id}/invitation', {
  summary: 'End the link at which an agent sets their password',
  examples: ['agent uninvite ag_01 --workspace acme'],
  message: ({ agent_id }) => `${agent_id} has no invitation any more.`,
})
