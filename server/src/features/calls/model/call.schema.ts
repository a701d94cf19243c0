import Type, { type Static } from 'typebox'
import { listQuery } from '../../../infrastructure/http/lists.js'
import { Id, Timestamp, nullable, printable } from '../../../infrastructure/http/shapes.js'
import {
  verificationFailures,
  verificationStatuses,
} from '../../../adapters/stir-shaken/caller-verification.js'
import { attestations } from '../../../adapters/stir-shaken/passport.js'
import { VoiceAgentSessionShape } from '../../voice-agent-sessions/session.schema.js'
import { callEventNames } from './call-event.entity.js'
import { maxClientAddress } from './client-address.js'

/** Contract, section Limits. */
export const maxCallSeconds = 7_200

/** Actions of one script. */
export const maxActions = 100

const partyName = Type.String({ maxLength: 64, pattern: printable, 'x-rule': 'free of control characters' })
const partyNumber = (maxLength: number, description: string) =>
  Type.String({
    ...{ minLength: 3, maxLength },
    pattern: printable,
    'x-rule': 'free of control characters',
    description,
  })

/** An action as submitted; the action itself checks its parameters. */
export const CallAction = Type.Object(
  {
    action: Type.String({ maxLength: 64 }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    continue: Type.Optional(
      Type.Boolean({ description: 'true by default; false ends the call when the action has finished' }),
    ),
    auto_answer: Type.Optional(
      Type.Boolean({
        description: 'true by default; false plays it as early media and leaves the caller unanswered',
      }),
    ),
  },
  { title: 'CallAction' },
)
export type CallAction = Static<typeof CallAction>

/** An action of a script as it is stored with its call. */
export interface ScriptStep extends CallAction {
  /** It came from a customer's server: references are resolved when its turn comes. */
  answered?: true
  /** Why it fails when its turn comes; set on an answered action that breaks a rule. */
  problem?: string
}

export const MakeCall = Type.Object({
  to: Type.Object({
    number: partyNumber(
      maxClientAddress,
      'E.164 number, a short number of a gateway, the username of an agent or SIP account (if both exist, the agent is called), the id of a SIP account, client:<sub> (a user of a customer’s app), or an extension (a team’s rings all members; a voice agent’s is bridged when the actions connect it)',
    ),
    name: Type.Optional(partyName),
  }),
  from: Type.Optional(
    Type.Object({
      number: partyNumber(30, 'E.164 caller id or agent username'),
      name: Type.Optional(partyName),
    }),
  ),
  call_flow_id: Type.Optional(Id()),
  max_duration: Type.Optional(Type.Integer({ minimum: 1, maximum: maxCallSeconds, description: 'Seconds' })),
  actions: Type.Optional(Type.Array(CallAction, { maxItems: maxActions })),
})
export type MakeCall = Static<typeof MakeCall>

export const UpdateActions = Type.Object({
  actions: Type.Array(CallAction, { minItems: 1, maxItems: maxActions }),
  mode: Type.Optional(
    Type.Enum(['replace', 'push'], {
      description:
        '`replace` (default) stops the running action and starts these at once; `push` runs them after the remaining ones',
    }),
  ),
})
export type UpdateActions = Static<typeof UpdateActions>

const Party = Type.Object({ name: Type.String(), number: Type.String() })
const direction = Type.Enum(['inbound', 'outbound'])
const statuses = [
  'created',
  'ringing',
  'started',
  'active',
  'completed',
  'failed',
  'busy',
  'no_answer',
  'canceled',
] as const
const status = Type.Enum([...statuses])

const filters = {
  status: Type.Optional(
    Type.Enum([...statuses, 'live'], { description: '`live`: all that have not ended, of whatever status' }),
  ),
  direction: Type.Optional(direction),
  agent_id: Type.Optional(Id({ description: 'Only those that this agent made, answered or was rung for' })),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only those created at this time or after it' }),
  ),
  to_date: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only those created at this time or before it' }),
  ),
}

const lists = listQuery({
  limit: 20,
  sort: ['created_at', 'duration', 'cost'],
  search: 'Looks at the phone numbers',
})

export const CallQuery = Type.Object({ ...lists.properties, ...filters })
export type CallQuery = Static<typeof CallQuery>

export const CallFilter = Type.Object({ search: lists.properties.search, ...filters })
export type CallFilter = Static<typeof CallFilter>

export const CallAgentShape = Type.Object(
  { id: Type.String(), username: Type.String(), display_name: Type.String() },
  { title: 'CallAgent' },
)

export const MadeCallShape = Type.Object(
  {
    data: Type.Object({
      call_id: Type.String(),
      status,
      direction,
      from: Party,
      to: Party,
      job_id: Type.String(),
      job_status: Type.Enum(['queued']),
    }),
  },
  { title: 'MadeCall' },
)

export const UpdatedActionsShape = Type.Object(
  {
    data: Type.Object({
      call_id: Type.String(),
      queued: Type.Boolean({ description: 'The actions are stored, and will run' }),
      action_count: Type.Integer(),
    }),
  },
  { title: 'UpdatedActions' },
)

/** Unions, as enums that may be null are. */
const CallerVerificationShape = Type.Object(
  {
    status: Type.Enum([...verificationStatuses]),
    attestation: Type.Union([Type.Enum([...attestations]), Type.Null()]),
    reason: Type.Union([Type.Enum([...verificationFailures]), Type.Null()]),
  },
  {
    title: 'CallerVerification',
    description:
      'Result of caller verification (STIR/SHAKEN); null for outbound calls, or where calls are not verified',
  },
)

export const CallRecordShape = Type.Object(
  {
    call_id: Type.String(),
    from: Type.String(),
    from_name: Type.String(),
    to: Type.String(),
    to_name: Type.String(),
    status,
    direction,
    agent: nullable(CallAgentShape),
    sip_account_id: nullable(Type.String({ description: 'The SIP account whose phone made the call' })),
    agent_id: nullable(Type.String({ description: 'The agent whose softphone made the call' })),
    call_flow_id: nullable(Type.String({ description: 'The flow that decides, or decided' })),
    duration: Type.Integer({ description: 'Seconds' }),
    cost: Type.Number({ description: 'USD' }),
    hangup_cause: nullable(Type.String()),
    sip_code: nullable(Type.Integer()),
    caller_verification: nullable(CallerVerificationShape),
    forwarded_from: nullable(
      Type.String({
        description:
          'The number that was called before and forwarded the call to us (Diversion, History-Info); anonymous where it is withheld',
      }),
    ),
    created_at: Timestamp,
    answered_at: nullable(Timestamp),
    ended_at: nullable(Timestamp),
  },
  { title: 'CallRecord' },
)

const CallLegShape = Type.Object(
  {
    id: Type.String(),
    role: Type.Enum(['caller', 'called', 'destination', 'supervisor']),
    number: Type.String(),
    name: nullable(
      Type.String({
        description:
          'Name of the agent, voice agent, SIP account or gateway; null if it has none or was deleted',
      }),
    ),
    gateway_id: nullable(Type.String()),
    sip_account_id: nullable(Type.String({ description: 'The SIP account at this end' })),
    agent_id: nullable(Type.String({ description: 'The agent at this end' })),
    voice_agent_id: nullable(Type.String({ description: 'The voice agent at this end' })),
    uri: Type.String({ description: 'The address that was tried: the gateway’s, or `sip:username@domain`' }),
    hangup_cause: nullable(Type.String()),
    sip_code: nullable(Type.Integer()),
    created_at: Timestamp,
    answered_at: nullable(Timestamp),
    ended_at: nullable(Timestamp),
  },
  { title: 'CallLeg' },
)

export const CallDetailShape = Type.Object(
  {
    ...CallRecordShape.properties,
    legs: Type.Array(CallLegShape),
    voice_agent_sessions: Type.Array(VoiceAgentSessionShape),
  },
  { title: 'CallDetail' },
)

export const CallEventShape = Type.Object(
  {
    id: Type.String(),
    call_id: Type.String(),
    event: Type.Enum([...callEventNames]),
    direction,
    sip_code: nullable(Type.Integer()),
    to: Type.Optional(Type.Object({ number: Type.String(), name: Type.String() })),
    hangup_cause: Type.Optional(Type.String()),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Details of a step of the script' }),
    ),
    created_at: Timestamp,
  },
  { title: 'CallEvent' },
)
