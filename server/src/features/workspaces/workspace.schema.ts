import Type, { type Static } from 'typebox'
import { problemKinds } from './credit-check.js'
import { creditReasons } from './credit-entry.entity.js'
import { listQuery } from '../../infrastructure/http/lists.js'
import {
  CountryCode,
  Id,
  Timestamp,
  Title,
  nullable,
  patterned,
  wellFormed,
  Usd,
} from '../../infrastructure/http/shapes.js'

/** The operator's limits on a workspace's calls; null means the operator's settings, for countries all. */
const callLimits = {
  max_concurrent_calls: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Calls that may live at once; null: the setting `calls.max_concurrent`',
    }),
  ),
  max_calls_per_second: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Calls that may begin in a second; null: the setting `calls.max_per_second`',
    }),
  ),
  allowed_countries: nullable(
    Type.Array(CountryCode, {
      uniqueItems: true,
      maxItems: 250,
      description: 'Countries whose telephone numbers may be called; null: all',
    }),
  ),
  allow_premium_rate: Type.Boolean({
    description: 'Whether premium-rate, shared-cost and personal numbers may be called and texted',
  }),
  call_recording: Type.Boolean({ description: 'Whether calls with the telephone network may be recorded' }),
  call_internal_recording: Type.Boolean({
    description: 'Whether calls among the workspace’s own people may be recorded',
  }),
  call_signing: Type.Boolean({
    description: 'Whether its gateways may sign who calls (STIR/SHAKEN), with the operator’s certificate',
  }),
}

const storageLimit = {
  max_storage_mb: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description:
        'Megabytes of files (audios, recordings, files of messages, pictures of agents) that it may keep; null: the setting `media.storage_mb`',
    }),
  ),
}

const maxSpend = (period: string) =>
  nullable(Usd(0, 1_000_000, `USD that its calls and messages may cost in ${period} of UTC; null: no limit`))

const rating = {
  max_spend_per_hour: maxSpend('an hour'),
  max_spend_per_day: maxSpend('a day'),
  rate_deck_id: nullable(
    Id({ description: 'Its own rates, before those of the default deck; null: none of its own' }),
  ),
}

const spending = {
  spent_this_hour: Type.Number({
    description: 'USD that calls and messages cost in this hour of UTC, without what live calls hold',
  }),
  spent_today: Type.Number({ description: 'The same of this day of UTC' }),
}

const suspension = {
  is_suspended: Type.Boolean({
    description:
      'Whether its keys, agents and apps are refused with 403, and calls with it do not begin; those that live go on, and messages that come are kept',
  }),
}

export const LeadersOnlyOwnTeams = Type.Boolean({
  description:
    'Whether leaders and supervisors manage only teams that they are members of; otherwise their role is enough',
})

export const TransfersBy = Type.Enum(['any_agent', 'involved'], {
  description:
    'Which agents may hand over a call: any of the workspace (default), or its participants, leaders and supervisors of their teams, and admins',
})

export const VoicemailTranscription = Type.Boolean({
  description: 'Whether voicemails are transcribed, where an AI provider has speech to text',
})

export const AgentsPauseRecordings = Type.Boolean({
  description:
    'Whether agents may pause the recording of the call that they are in; leaders and supervisors of their teams always may',
})

export const AwayReasons = nullable(
  Type.Array(Title(1, 40), {
    ...{ uniqueItems: true, maxItems: 20 },
    description:
      'Why agents may be away, as they choose it; null: `break`, `lunch`, `meeting`, `training` and `other`; an empty list: they give none',
  }),
)

/** How the parties of a call learn that it is recorded. */
export const recordingNoticeShape = {
  recording_notice: Type.Enum(['none', 'tone', 'announcement'], {
    description:
      'What all parties of a recorded call hear: nothing, a tone at the start and every 15 seconds, or an announcement',
  }),
  recording_notice_audio_id: nullable(
    Id({ description: 'The audio that announces the recording; null: the text is spoken' }),
  ),
  recording_notice_text: nullable(
    Type.String({
      ...{ minLength: 1, maxLength: 500, pattern: wellFormed, 'x-rule': 'a well-formed text' },
      description: 'The text that announces the recording; null: a sentence in the language of the voice',
    }),
  ),
  recording_notice_voice: nullable(
    Type.String({
      ...{ minLength: 1, maxLength: 100 },
      description: 'Voice of espeak-ng that speaks it, such as `de`; null: the platform’s',
    }),
  ),
}

const retentionDays = (what: string, name: string, least = 1) =>
  nullable(
    Type.Integer({
      minimum: least,
      maximum: 36_500,
      description: `Days for which ${what}; null: the setting \`${name}\``,
    }),
  )

/** For how long a workspace keeps what grows, within the operator's bounds. */
export const retentionShape = {
  call_retention_days: retentionDays(
    'calls, their timelines and transcripts are kept',
    'retention.calls_days',
  ),
  message_retention_days: retentionDays('messages and their files are kept', 'retention.messages_days'),
  recording_retention_days: retentionDays('recordings and voicemail are kept', 'recordings.retention_days'),
  ledger_retention_days: retentionDays(
    'the ledger keeps single entries; older ones are carried forward as one sum',
    ...(['retention.ledger_days', 90] as const),
  ),
  webhook_delivery_retention_days: retentionDays('webhook deliveries are kept', 'webhooks.kept_days'),
  audit_log_retention_days: retentionDays('the audit log is kept', 'audit_log.kept_days'),
}

export const WorkspaceShape = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    country_code: Type.String(),
    transfers_by: TransfersBy,
    ...suspension,
    credit_balance: Type.Number({ description: 'USD' }),
    credit_held: Type.Number({ description: 'USD, of the balance, that live calls hold' }),
    credit_available: Type.Number({ description: 'USD that may be spent' }),
    ...callLimits,
    ...rating,
    ...spending,
    ...retentionShape,
    leaders_only_own_teams: LeadersOnlyOwnTeams,
    ...storageLimit,
    storage_bytes: Type.Integer({ description: 'Bytes of the files that it keeps' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Workspace' },
)

export const WorkspaceQuery = Type.Object({
  ...listQuery({ limit: 20, sort: ['created_at', 'title', 'id'], search: 'Looks at id and title' })
    .properties,
  rate_deck_id: Type.Optional(Id({ description: 'Only workspaces whose own rate deck it is' })),
})
export type WorkspaceQuery = Static<typeof WorkspaceQuery>

export const CreateWorkspace = Type.Object({
  id: patterned(
    '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$',
    '1 to 32 lowercase letters, digits and inner hyphens: it becomes a host name',
  ),
  title: Title(1, 64),
  country_code: CountryCode,
})
export type CreateWorkspace = Static<typeof CreateWorkspace>

export const UpdateWorkspace = Type.Partial(
  Type.Object({
    transfers_by: TransfersBy,
    ...{ title: Title(1, 64), country_code: CountryCode, ...suspension, ...callLimits, ...rating },
    ...retentionShape,
    leaders_only_own_teams: LeadersOnlyOwnTeams,
    ...storageLimit,
  }),
)
export type UpdateWorkspace = Static<typeof UpdateWorkspace>

const scope = Type.Enum(['any', 'full'], { description: 'any reads, full also writes' })
const role = Type.Enum(['owner', 'editor', 'viewer'], {
  description: 'An owner and an editor may write, a viewer only reads, whatever the scope',
})
const signsClients = {
  description: 'Whether the secret signs client JWTs, with which apps make and take calls',
}

export const ApiKeyShape = Type.Object(
  {
    sid: Type.String(),
    workspace_id: Type.String(),
    title: Type.String(),
    scope,
    role,
    signs_clients: Type.Boolean(signsClients),
    last_used_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    created_at: Timestamp,
  },
  { title: 'ApiKey' },
)

export const NewApiKeyShape = Type.Object(
  {
    ...ApiKeyShape.properties,
    api_key: Type.String({ description: 'Whole key, `sid-….<secret>`; shown this once' }),
    secret: Type.String({ description: 'The part behind the dot; signs client JWTs; shown this once' }),
  },
  { title: 'NewApiKey' },
)

export const CreateApiKey = Type.Object({
  title: Type.Optional(Title(1, 64)),
  scope,
  role,
  signs_clients: Type.Optional(
    Type.Boolean({
      description: `${signsClients.description}. By default those keys sign that may write: scope full, role owner or editor`,
    }),
  ),
})
export type CreateApiKey = Static<typeof CreateApiKey>

export const CreditEntryShape = Type.Object(
  {
    id: Type.String(),
    workspace_id: Type.String(),
    amount: Type.Number({ description: 'USD; negative for what was used' }),
    balance: Type.Number({ description: 'USD after this entry' }),
    reason: Type.Enum([...creditReasons], {
      description: '`carried_forward`: the sum of all entries that were older than they are kept',
    }),
    reference: Type.String(),
    note: Type.String(),
    sequence: nullable(
      Type.Integer({ description: 'Counts the entries, in the order in which they were booked' }),
    ),
    is_subject_deleted: Type.Boolean({ description: 'Whether its call or message was deleted' }),
    created_at: Timestamp,
  },
  { title: 'CreditEntry' },
)

export const CheckedCreditShape = Type.Object(
  {
    workspace_id: Type.String(),
    is_consistent: Type.Boolean(),
    balance: Type.Number({ description: 'USD' }),
    held: Type.Number({ description: 'USD, of the balance, that live calls hold' }),
    entries: Type.Integer({ description: 'How many entries the ledger has' }),
    problems: Type.Array(
      Type.Object({
        kind: Type.Enum([...problemKinds]),
        id: Type.String({ description: 'Of the entry, call or message; of the workspace for its sums' }),
        expected: Type.Number({ description: 'USD; a count for sequence' }),
        found: Type.Number(),
      }),
      { description: 'The first of each kind' },
    ),
  },
  { title: 'CheckedCredit' },
)

export const CreditShape = Type.Object(
  { workspace_id: Type.String(), balance: Type.Number({ description: 'USD' }), entry: CreditEntryShape },
  { title: 'Credit' },
)

export const AddCredit = Type.Object({
  amount: Usd(-1_000_000, 1_000_000, 'USD; more than 0, or less where the reason is `correction`'),
  reason: Type.Optional(
    Type.Enum(['top_up', 'correction'], {
      description: '`correction`: of what was booked by mistake, or left out; `top_up` by default',
    }),
  ),
  note: Type.Optional(Type.String({ maxLength: 255 })),
})
export type AddCredit = Static<typeof AddCredit>
