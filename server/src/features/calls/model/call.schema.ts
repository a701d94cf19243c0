import { abandonedPlaces, answererKinds, callOutcomes } from './call-outcome.js'
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
import { offerResults } from './call-offer.entity.js'
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
  outcome: Type.Optional(
    Type.Enum([...callOutcomes, 'unanswered'], {
      description: '`unanswered`: abandoned, missed or left to voicemail',
    }),
  ),
  team_id: Type.Optional(Id({ description: 'Only those that this team was last to take' })),
  phone_number_id: Type.Optional(Id({ description: 'Only those that came in or went out by this number' })),
  call_flow_id: Type.Optional(Id({ description: 'Only those of this flow' })),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only those created at this time or after it' }),
  ),
  to_date: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only those created at this time or before it' }),
  ),
}

const lists = listQuery({
  limit: 20,
  sort: ['created_at', 'duration', 'cost', 'wait_seconds', 'talk_seconds'],
  search: 'Looks at the phone numbers and the names, also those of contacts',
})

export const CallQuery = Type.Object({ ...lists.properties, ...filters })
export type CallQuery = Static<typeof CallQuery>

/** Filters of the history of a team: its ended calls. */
export const TeamCallQuery = Type.Object({
  page: lists.properties.page,
  limit: lists.properties.limit,
  search: lists.properties.search,
  ...{ outcome: filters.outcome, direction: filters.direction, agent_id: filters.agent_id },
  ...{ from: filters.from, to_date: filters.to_date },
})

export const CallFilter = Type.Object({ search: lists.properties.search, ...filters })
export type CallFilter = Static<typeof CallFilter>

export const CallAgentShape = Type.Object(
  { id: Type.String(), username: Type.String(), display_name: Type.String() },
  { title: 'CallAgent' },
)

export const FarPartyShape = Type.Object(
  { number: Type.String(), name: Type.String() },
  { title: 'FarParty', description: 'The other end, with the name of its contact if it has one' },
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

const Titled = (title: string) => Type.Object({ id: Type.String(), title: Type.String() }, { title })
/** A union, as an enum that may be null is. */
const wordOrNull = <T extends string>(words: readonly T[], description: string) =>
  Type.Union([Type.Enum([...words]), Type.Null()], { description })
const seconds = (description: string) => nullable(Type.Integer({ description }))

/** What a call centre asks of a call; null or empty while it lives. */
export const outcomeShapes = {
  outcome: wordOrNull(
    callOutcomes,
    '`answered`: by a person; `voice_agent`: by a voice agent or the workspace’s own program; `voicemail`: the caller left a message; `self_service`: the script served the caller without dialling; `abandoned`: the caller left first; `missed`: no one answered; `refused`: rejected here or by the called party; `failed`: not connected',
  ),
  abandoned_in: wordOrNull(abandonedPlaces, 'Where the caller left: set if `outcome` is `abandoned`'),
  ended_by: wordOrNull(['caller', 'callee', 'carrier', 'server', 'unknown'], 'Who left first'),
  wait_seconds: seconds('Seconds in queues'),
  ring_seconds: seconds('Seconds in which people were rung'),
  talk_seconds: seconds('Seconds of talk with people, without those on hold'),
  hold_seconds: seconds('Seconds on hold'),
  team: nullable(Titled('CallTeam')),
  queue: nullable(
    Type.Object(
      { id: Type.String(), title: Type.String() },
      {
        title: 'CallQueue',
        description: 'The team in whose queue the caller waited last',
      },
    ),
  ),
  phone_number: nullable(
    Type.Object(
      { id: Type.String(), title: Type.String(), number: Type.String() },
      {
        title: 'CallPhoneNumber',
        description: 'The number of the workspace by which it came in or went out',
      },
    ),
  ),
  call_flow: nullable(Titled('CallFlowOfCall')),
  answered_by: nullable(
    Type.Object(
      {
        kind: Type.Enum([...answererKinds]),
        id: nullable(Type.String()),
        name: Type.String({ description: 'Empty if it was deleted' }),
      },
      { title: 'CallAnswerer', description: 'Who took the call first' },
    ),
  ),
  missed_by: Type.Array(CallAgentShape, {
    description: 'The agents who were called and did not answer; of calls without an answer',
  }),
  contact: nullable(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { title: 'CallContact', description: 'The contact with the number outside of the workspace' },
    ),
  ),
}

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
    ...outcomeShapes,
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

/** How many offers of a call are shown: a queue may offer it again and again. */
export const shownOffers = 100

const CallOfferShape = Type.Object(
  {
    agent: nullable(CallAgentShape),
    team: outcomeShapes.team,
    began_at: Timestamp,
    ended_at: nullable(Timestamp),
    result: wordOrNull(
      offerResults,
      '`answered_elsewhere`: another agent took the call; `caller_left`: the caller hung up, or the ringing was ended for another reason; `busy`, `offline`: no device of the agent rang; null: it rings',
    ),
  },
  {
    title: 'CallOffer',
    description: 'An agent was rung, in a browser, an app or on a phone, all of which ring together',
  },
)

export const CallDetailShape = Type.Object(
  {
    ...CallRecordShape.properties,
    legs: Type.Array(CallLegShape),
    offers: Type.Array(CallOfferShape, {
      description: `Which agents were rung, in order, the first ${String(shownOffers)}: browsers and apps have a leg only once they answer`,
    }),
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
