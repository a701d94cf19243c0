/** Calls as agents see them: without costs, gateways and addresses. */
import Type from 'typebox'
import { Timestamp, nullable } from '../../../infrastructure/http/shapes.js'
import { callSides } from './own-calls.js'
import { RecordingShape } from '../../recordings/recording.schema.js'
import { CallAgentShape, CallDetailShape, CallEventShape, outcomeShapes } from '../model/call.schema.js'

const { call_id, from, to, status, direction, duration, created_at, answered_at, ended_at, legs } =
  CallDetailShape.properties

export const AgentCallShape = Type.Object(
  {
    ...{ call_id, from, from_name: Type.String(), to, to_name: Type.String(), status, direction, duration },
    agent: nullable(CallAgentShape),
    ...outcomeShapes,
    ...{ created_at, answered_at, ended_at },
  },
  { title: 'AgentCall' },
)

/** A call from the agent's side. */
export const OwnCallShape = Type.Object(
  {
    ...AgentCallShape.properties,
    side: Type.Enum([...callSides], {
      description: '`supervision`: the agent only listened, whispered or barged in',
    }),
    is_missed: Type.Boolean({ description: 'The agent was called, and no one answered' }),
    far_party: Type.Object(
      { number: Type.String(), name: Type.String() },
      { title: 'FarParty', description: 'The other end, with the name of its contact if it has one' },
    ),
  },
  { title: 'OwnCall' },
)

export const MissedCallShape = Type.Object(
  {
    ...OwnCallShape.properties,
    handled_at: nullable(Timestamp),
    handled_by: nullable(CallAgentShape),
  },
  { title: 'MissedCall' },
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

const AgentCallRecordingShape = Type.Pick(
  RecordingShape,
  ['id', 'kind', 'status', 'format', 'channels', 'duration', 'created_at'],
  { title: 'AgentCallRecording' },
)

export const OwnCallRecordingShape = Type.Object(
  {
    ...AgentCallRecordingShape.properties,
    may_pause: Type.Boolean({ description: 'It runs, and the agent may pause and resume it' }),
  },
  { title: 'OwnCallRecording' },
)

export const AgentCallDetailShape = Type.Object(
  {
    ...AgentCallShape.properties,
    legs: Type.Array(AgentCallLegShape),
    events: Type.Array(CallEventShape),
    recordings: Type.Array(AgentCallRecordingShape),
  },
  { title: 'AgentCallDetail' },
)
