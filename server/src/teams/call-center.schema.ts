/** Teams and their agents as agents see them (contract, Team). */
import Type from 'typebox'
import { Timestamp, nullable } from '../http/shapes.js'

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

export const TeammateShape = Type.Object(
  {
    id: Type.String(),
    username: Type.String(),
    display_name: Type.String(),
    avatar: nullable(Type.String({ description: 'Address of a picture' })),
    state: Type.Enum(['available', 'incall', 'busy', 'offline']),
    role: Type.Enum(['agent', 'leader', 'supervisor'], { description: '`agent`: a member' }),
  },
  { title: 'Teammate' },
)
