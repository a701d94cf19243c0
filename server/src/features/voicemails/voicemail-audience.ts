/**
 * Whose a voicemail is, as SQL over `calls`: of the agents that the call was offered to and of the team that it was to reach;
 * without either, of all leaders and supervisors.
 */

/**
 * @param agentId SQL of the agent's id; it occurs twice, before the other
 * @param isLeading SQL that is true for leaders, supervisors and admins
 */
export function isVoicemailOf(agentId: string, isLeading: string): string {
  const offers = 'SELECT 1 FROM call_offers offer WHERE offer.call_id = calls.id'
  return `(
    EXISTS (${offers} AND offer.agent_id = ${agentId})
    OR EXISTS (SELECT 1 FROM team_members own WHERE own.team_id = calls.team_id AND own.agent_id = ${agentId})
    OR (${isLeading} AND calls.team_id IS NULL AND NOT EXISTS (${offers})))`
}
