import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('delete', '/teams/{id}/agents/{agent_id}', {
  summary: 'Take an agent out of a team',
  examples: ['team remove-agent te_01 ag_01 --workspace acme'],
  args: { id: 'id of the team', agent_id: 'id of the agent' },
  told: ({ agent_id, team_id }) => `${agent_id} is no member of ${team_id} any more.`,
})
