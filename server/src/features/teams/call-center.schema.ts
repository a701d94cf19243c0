/** Teams and their agents as agents see them (contract, Team). */
import Type from 'typebox'
import { type AgentAnswer, isRinging } from '../agents/agent.schema.js'
import { Timestamp, nullable } from '../../infrastructure/http/shapes.js'

export const CallCenterTeamShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    agent_count: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'CallCenterTeam' },
)

const role = Type.Enum(['agent', 'leader', 'supervisor'], { description: '`agent`: a member' })
const who = {
  id: Type.String(),
  username: Type.String(),
  display_name: Type.String(),
  avatar: nullable(Type.String({ description: 'Address of a picture' })),
}

export const TeammateShape = Type.Object(
  { ...who, state: Type.Enum(['available', 'incall', 'busy', 'offline']), is_ringing: isRinging, role },
  { title: 'Teammate' },
)

export const ColleagueShape = Type.Object({ ...who, role }, { title: 'Colleague' })

/** An agent as agents of the same team see it. */
export function presentTeammate(agent: AgentAnswer) {
  return { ...presentColleague(agent), state: agent.state, is_ringing: agent.is_ringing }
}

/** An agent as all other agents see it: its state is for its teams only. */
export function presentColleague({ id, username, display_name, avatar, role }: AgentAnswer) {
  const shownRole = role === 'member' ? ('agent' as const) : role
  return { id, username, display_name, avatar, role: shownRole }
}
