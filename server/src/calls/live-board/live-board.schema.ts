/** The live board: what is going on in this moment. */
import Type, { type Static } from 'typebox'
import { Timestamp, nullable } from '../../http/shapes.js'
import { AgentStateShape } from '../../presence/agent-state.schema.js'
import { CallDetailShape } from '../call.schema.js'

const party = (description: string) =>
  Type.Object({ number: Type.String(), name: Type.String() }, { description })

const whom = { agent_id: Type.String(), username: Type.String(), display_name: Type.String() }

const { direction, status, answered_at } = CallDetailShape.properties

export const LiveCallShape = Type.Object(
  {
    call_id: Type.String(),
    direction,
    status,
    from: party('Who calls'),
    to: party('Who was called'),
    agents: Type.Array(
      Type.Object({
        ...whom,
        state: Type.Enum(['ringing', 'talking']),
        since: Timestamp,
      }),
      { description: 'Those who are in it, or are rung for it' },
    ),
    supervisors: Type.Array(Type.Object({ ...whom, since: Timestamp }), {
      description: 'Those who hear it',
    }),
    voice_agent_id: nullable(Type.String({ description: 'The voice agent who talks in it' })),
    waiting: nullable(
      Type.Object(
        { team_id: Type.String(), entered_at: Timestamp },
        { description: 'Its place in the queue of a team: who entered first is next' },
      ),
    ),
    created_at: Timestamp,
    answered_at,
  },
  { title: 'LiveCall' },
)
export type LiveCallAnswer = Static<typeof LiveCallShape>

const LiveAgentShape = Type.Object(
  {
    ...AgentStateShape.properties,
    role: Type.Enum(['member', 'leader', 'supervisor']),
    team_ids: Type.Array(Type.String(), { description: 'Of the teams that the board shows' }),
  },
  { title: 'LiveAgent' },
)

export const LiveBoardShape = Type.Object(
  {
    timestamp: Timestamp,
    teams: Type.Array(
      Type.Object(
        { id: Type.String(), title: Type.String(), agent_count: Type.Integer() },
        { title: 'LiveTeam' },
      ),
    ),
    agents: Type.Array(LiveAgentShape, { description: 'Active agents by their names; 5,000 at most' }),
    calls: Type.Array(LiveCallShape, {
      description: 'Calls that have not ended, oldest first; 5,000 at most',
    }),
    is_complete: Type.Boolean({ description: 'Whether all agents and calls are here' }),
  },
  { title: 'LiveBoard' },
)
