import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('delete', '/teams/{id}/agents/{agent_id}', {
  summary: 'Remove an agent from a team',
  examples: ['team remove-agent te_01 ag_01 --workspace acme'],
  args: { id: 'id of the team', agent_id: 'id of the agent' },
  message: ({ agent_id, team_id }) => `${agent_id} is no longer a member of ${team_id}.`,
})
