import Type, { type Static } from 'typebox'
import { listQuery } from '../../infrastructure/http/lists.js'
import { Id, Timestamp, Title } from '../../infrastructure/http/shapes.js'

/** Longest name of a team. */
const maxName = 36

/** The workspace's view of a team; the call centre's has `title` instead of `name` (contract, Team). */
export const TeamShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    name: Type.String(),
    agent_count: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Team' },
)

export const MembershipShape = Type.Object(
  { id: Type.String(), team_id: Type.String(), agent_id: Type.String(), created_at: Timestamp },
  { title: 'Membership' },
)

export const TeamList = listQuery({ limit: 10, sort: ['created_at', 'name'], search: 'Looks at the name' })

/** Teams of an agent; not searched. */
export const TeamsOfAgent = listQuery({ limit: 10, sort: ['created_at'] })

export const CreateTeam = Type.Object({ name: Title(1, maxName) })
export type CreateTeam = Static<typeof CreateTeam>

export const UpdateTeam = Type.Object({ name: Type.Optional(Title(1, maxName)) })
export type UpdateTeam = Static<typeof UpdateTeam>

export const membershipParams = Type.Object({ id: Id(), agent_id: Id() })
