/** Calls as agents see them: without costs, gateways and addresses. */
import Type from 'typebox'
import { Timestamp, nullable } from '../../../infrastructure/http/shapes.js'
import { callSides } from '../model/call-side.js'
import { RecordingShape } from '../../recordings/recording.schema.js'
import {
  CallAgentShape,
  CallDetailShape,
  CallEventShape,
  FarPartyShape,
  outcomeShapes,
} from '../model/call.schema.js'

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

const supervision = '`supervision`: the agent only listened, whispered or barged in'
const is_missed = Type.Boolean({ description: 'The agent was called, and no one answered' })

/** A call from the agent's side. */
export const OwnCallShape = Type.Object(
  {
    ...AgentCallShape.properties,
    side: Type.Enum([...callSides], { description: supervision }),
    is_missed,
    far_party: FarPartyShape,
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
    // A union, as an enum that may be null is.
    side: Type.Union([Type.Enum([...callSides]), Type.Null()], {
      description: `The agent’s own side; ${supervision}; null: the agent had no part in it`,
    }),
    is_missed,
    far_party: nullable(FarPartyShape),
    legs: Type.Array(AgentCallLegShape),
    events: Type.Array(CallEventShape),
    recordings: Type.Array(AgentCallRecordingShape),
  },
  { title: 'AgentCallDetail' },
)
