import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('put', '/teams/{id}/agents/{agent_id}', {
  summary: 'Add an agent to a team',
  description: 'Adding a member again changes nothing.',
  examples: ['team add-agent te_01 ag_01 --workspace acme'],
  args: { id: 'id of the team', agent_id: 'id of the agent' },
  message: ({ agent_id, team_id }) => `${agent_id} is a member of ${team_id}.`,
})
