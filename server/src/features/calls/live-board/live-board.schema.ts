/** The live board: calls and agents as of now. */
import Type, { type Static } from 'typebox'
import { Timestamp, nullable } from '../../../infrastructure/http/shapes.js'
import { AgentStateShape } from '../../presence/agent-state.schema.js'
import { CallDetailShape } from '../model/call.schema.js'

const party = (description: string) =>
  Type.Object({ number: Type.String(), name: Type.String() }, { description })

const agent = { agent_id: Type.String(), username: Type.String(), display_name: Type.String() }

const { direction, status, answered_at } = CallDetailShape.properties

export const LiveCallShape = Type.Object(
  {
    call_id: Type.String(),
    direction,
    status,
    from: party('The caller'),
    to: party('The called party'),
    far_party: party(
      'The other end for agents who take the call: the caller or, of a call that the platform made, the called party',
    ),
    agents: Type.Array(
      Type.Object({
        ...agent,
        state: Type.Enum(['ringing', 'talking']),
        since: Timestamp,
        far_party: party('The other end, from this agent’s side'),
      }),
      { description: 'Agents in the call, ringing ones included' },
    ),
    supervisors: Type.Array(Type.Object({ ...agent, since: Timestamp }), {
      description: 'Supervisors of the call',
    }),
    voice_agent_id: nullable(Type.String({ description: 'The voice agent in the call' })),
    waiting: nullable(
      Type.Object(
        { team_id: Type.String(), entered_at: Timestamp },
        { description: 'Queue of a team that it waits in, first in, first out' },
      ),
    ),
    recording: nullable(
      Type.Object(
        { recording_id: Type.String(), is_paused: Type.Boolean(), since: Timestamp },
        { title: 'LiveRecording', description: 'What is recorded of the call now; null: nothing' },
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
    team_ids: Type.Array(Type.String(), { description: 'Teams of the agent, of those on the board' }),
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
    is_complete: Type.Boolean({ description: 'False if agents or calls were left out' }),
  },
  { title: 'LiveBoard' },
)
