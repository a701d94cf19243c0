import Type, { type Static } from 'typebox'
import { Timestamp, nullable } from '../../infrastructure/http/shapes.js'
import { agentStates, choosableStates } from '../agents/agent-state.js'
import { isRinging } from '../agents/agent.schema.js'

export const AgentStateShape = Type.Object(
  {
    agent_id: Type.String(),
    username: Type.String(),
    display_name: Type.String(),
    state: Type.Enum([...agentStates]),
    is_ringing: isRinging,
    since: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the state began; null if that was before the server first looked',
      }),
    ),
    call_id: nullable(Type.String({ description: 'The call that rings, or that the agent is in' })),
    chosen_state: Type.Enum([...choosableStates], {
      description: '`busy` and `offline`: no call rings the agent, whatever reaches them',
    }),
    reason: nullable(Type.String({ description: 'Why the agent chose to be busy or offline' })),
    chosen_by: nullable(Type.String({ description: 'The agent who chose it; null while it is `available`' })),
    chosen_at: nullable(Timestamp),
  },
  { title: 'AgentState' },
)
export type AgentStateAnswer = Static<typeof AgentStateShape>

export const ChooseState = Type.Object({
  state: Type.Enum([...choosableStates]),
  reason: Type.Optional(
    nullable(
      Type.String({
        ...{ minLength: 1, maxLength: 40 },
        description: 'Why, for `busy` and `offline`: one of the workspace’s `away_reasons`',
      }),
    ),
  ),
})
export type ChooseState = Static<typeof ChooseState>

export const AwayReasonsShape = Type.Object(
  { away_reasons: Type.Array(Type.String()) },
  { title: 'AwayReasons' },
)
