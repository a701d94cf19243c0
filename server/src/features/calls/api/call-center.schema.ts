/** Calls as agents see them: without costs, gateways and addresses. */
import Type from 'typebox'
import { nullable } from '../../../infrastructure/http/shapes.js'
import { RecordingShape } from '../../recordings/recording.schema.js'
import { CallAgentShape, CallDetailShape, CallEventShape } from '../model/call.schema.js'

const { call_id, from, to, status, direction, duration, created_at, answered_at, ended_at, legs } =
  CallDetailShape.properties

export const AgentCallShape = Type.Object(
  {
    ...{ call_id, from, from_name: Type.String(), to, to_name: Type.String(), status, direction, duration },
    agent: nullable(CallAgentShape),
    ...{ created_at, answered_at, ended_at },
  },
  { title: 'AgentCall' },
)

const leg = legs.items.properties

const AgentCallLegShape = Type.Object(
  {
    ...{ id: leg.id, role: leg.role, number: leg.number, agent: nullable(CallAgentShape) },
    hangup_cause: leg.hangup_cause,
    ...{ created_at: leg.created_at, answered_at: leg.answered_at, ended_at: leg.ended_at },
  },
  { title: 'AgentCallLeg' },
)

export const AgentCallDetailShape = Type.Object(
  {
    ...AgentCallShape.properties,
    legs: Type.Array(AgentCallLegShape),
    events: Type.Array(CallEventShape),
    recordings: Type.Array(
      Type.Pick(RecordingShape, ['id', 'kind', 'status', 'format', 'channels', 'duration', 'created_at'], {
        title: 'AgentCallRecording',
      }),
    ),
  },
  { title: 'AgentCallDetail' },
)
