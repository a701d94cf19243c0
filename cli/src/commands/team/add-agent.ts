import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('put', '/teams/{id}/agents/{agent_id}', {
  summary: 'Make an agent a member of a team',
  description: 'Who is a member already stays one.',
  examples: ['team add-agent te_01 ag_01 --workspace acme'],
  args: { id: 'id of the team', agent_id: 'id of the agent' },
  told: ({ agent_id, team_id }) => `${agent_id} is a member of ${team_id}.`,
})
