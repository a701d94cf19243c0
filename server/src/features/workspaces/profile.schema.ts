import Type, { type Static } from 'typebox'
import { CountryCode, Id, Timestamp, Title, nullable } from '../../infrastructure/http/shapes.js'
import { retentionKinds } from './retention-policy.js'
import {
  AgentsPauseRecordings,
  AwayReasons,
  LeadersOnlyOwnTeams,
  TransfersBy,
  VoicemailTranscription,
  recordingNoticeShape,
  retentionShape,
} from './workspace.schema.js'

const emergencyGateway = {
  emergency_gateway_id: nullable(
    Id({
      description:
        'The outbound gateway that emergency calls of phones try first; null: that of the phone’s number',
    }),
  ),
}

export const UpdateProfile = Type.Object({
  title: Type.Optional(Title(1, 64)),
  transfers_by: Type.Optional(TransfersBy),
  country_code: Type.Optional(CountryCode),
  ...Type.Partial(Type.Object(retentionShape)).properties,
  leaders_only_own_teams: Type.Optional(LeadersOnlyOwnTeams),
  agents_pause_recordings: Type.Optional(AgentsPauseRecordings),
  voicemail_transcription: Type.Optional(VoicemailTranscription),
  away_reasons: Type.Optional(AwayReasons),
  ...Type.Partial(Type.Object(recordingNoticeShape)).properties,
  ...Type.Partial(Type.Object(emergencyGateway)).properties,
})
export type UpdateProfile = Static<typeof UpdateProfile>

const kept = Type.Object({
  days: nullable(Type.Integer({ description: 'Null: for ever' })),
  min_days: Type.Integer({ description: 'The operator’s least' }),
  max_days: nullable(Type.Integer({ description: 'The operator’s most; null: none' })),
})

const spending = (period: string) =>
  Type.Object({
    max: nullable(Type.Number({ description: 'The operator’s limit; null: none' })),
    spent: Type.Number({ description: `In ${period} of UTC` }),
  })

/** The shape of a profile, whose limits have these names. */
export function profileShape(limits: readonly string[]) {
  const limit = Type.Object({ max: Type.Integer(), used: Type.Integer() })
  return Type.Object(
    {
      id: Type.String({ description: 'Also the first label of the workspace’s host name' }),
      title: Type.String(),
      transfers_by: TransfersBy,
      country_code: Type.String(),
      ...retentionShape,
      retention: Type.Object(Object.fromEntries(retentionKinds.map((kind) => [kind, kept])), {
        description: 'For how many days each kind is kept now, and may be',
      }),
      leaders_only_own_teams: LeadersOnlyOwnTeams,
      agents_pause_recordings: AgentsPauseRecordings,
      voicemail_transcription: VoicemailTranscription,
      away_reasons: AwayReasons,
      ...recordingNoticeShape,
      ...emergencyGateway,
      emergency_numbers: Type.Array(Type.String(), {
        description:
          'Emergency and test numbers of its country: phones that dial them reach the emergency service',
      }),
      credit_balance: Type.Number({ description: 'USD' }),
      credit_held: Type.Number({ description: 'USD, of the balance, that live calls hold' }),
      credit_available: Type.Number({ description: 'USD that may be spent' }),
      spending: Type.Object(
        { hour: spending('this hour'), day: spending('this day') },
        { description: 'USD that calls and messages cost, without what live calls hold, and may cost' },
      ),
      limits: Type.Object(
        Object.fromEntries([...limits, 'concurrent_calls', 'storage_mb'].map((name) => [name, limit])),
      ),
      calls: Type.Object({
        max_per_second: Type.Integer({ description: 'Calls that may begin in a second' }),
        max_concurrent_per_account: Type.Integer({
          description:
            'Calls that the phones of one SIP account may make at once, unless the account says otherwise',
        }),
        allowed_countries: nullable(
          Type.Array(CountryCode, {
            description: 'Countries whose telephone numbers may be called; null: all',
          }),
        ),
        allow_premium_rate: Type.Boolean({
          description: 'Whether premium-rate, shared-cost and personal numbers may be called and texted',
        }),
        recording: Type.Boolean({ description: 'Whether calls with the telephone network may be recorded' }),
        internal_recording: Type.Boolean({
          description: 'The same of calls among the workspace’s own people',
        }),
      }),
      sip: Type.Object(
        {
          domain: Type.String({ description: 'Of SIP accounts, and their registrar' }),
          agents_domain: Type.String({ description: 'Of agents, and their registrar' }),
          host: nullable(
            Type.String({ description: 'Address of the registrar: the outbound proxy of phones' }),
          ),
          port: nullable(Type.Integer({ description: 'UDP and TCP port there' })),
          tls_port: nullable(Type.Integer({ description: 'TCP port of SIP over TLS there' })),
          wss_url: nullable(Type.String({ description: 'Where phones in browsers connect' })),
        },
        { description: 'What phones need beside an account; null: not known to the server' },
      ),
      counts: Type.Object({ live_calls: Type.Integer() }),
      role: Type.Enum(['owner', 'editor', 'viewer'], { description: 'Role of the caller' }),
      created_at: Timestamp,
      updated_at: Timestamp,
    },
    { title: 'Profile' },
  )
}
