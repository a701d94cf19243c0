/** Every type of step: where it is offered, what it asks for, and how it may end (docs/flows.md). */
import {
  type Icon,
  IconAddressBook,
  IconArrowsSplit2,
  IconBroadcast,
  IconClockHour4,
  IconDialpad,
  IconFlag,
  IconMessage,
  IconMicrophone,
  IconPhoneOff,
  IconPhoneOutgoing,
  IconPlayerPlay,
  IconPlayerRecord,
  IconQuestionMark,
  IconRobot,
  IconServer,
  IconSpeakerphone,
  IconUser,
  IconUsers,
  IconVariable,
  IconHash,
  IconPhoneCall,
} from '@tabler/icons-react'
import { type Params, isRecord, otherwise } from './steps'

export type ReferenceKind =
  'agent' | 'audio' | 'extension' | 'outbound_gateway' | 'phone_number' | 'team' | 'voice_agent'

/** One thing that a step asks for; its name is the place in its parameters. */
export type Field =
  | { kind: 'reference'; name: string; of: ReferenceKind; required?: boolean }
  | { kind: 'line' | 'text' | 'url'; name: string; required?: boolean; hint?: 'placeholders' }
  | { kind: 'number'; name: string; min: number; max: number; byDefault: number; step?: number }
  | { kind: 'flag'; name: string; byDefault: boolean }
  | { kind: 'choice'; name: string; values: readonly string[]; byDefault: string }
  | {
      kind: 'prompt' | 'operator' | 'queue' | 'hours' | 'conditions' | 'branches' | 'headers'
      name: string
    }

export type StepGroup = 'hear' | 'ask' | 'connect' | 'decide' | 'tell' | 'end'

export interface StepKind {
  type: string
  icon: Icon
  /** Null: it is not offered, since there is one already. */
  group: StepGroup | null
  fields: readonly Field[]
  /** Besides `default`; null when it ends the call. */
  outcomes: readonly string[] | ((params: Params) => readonly string[]) | null
  /** What a new one begins with. */
  initial?: Params
  /** It has more outcomes than anybody draws: only those with an edge are shown, and the next that is free. */
  hasKeys?: boolean
}

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#']
const reached = ['completed', 'busy', 'no_answer', 'failed']

const ringing = { kind: 'number', name: 'timeout', min: 1, max: 300, byDefault: 30 } as const
const keyWait = { kind: 'number', name: 'timeout', min: 1, max: 60, byDefault: 5 } as const
const ringback = { kind: 'reference', name: 'ringback_audio_id', of: 'audio' } as const
const answer = { kind: 'flag', name: 'answer_call', byDefault: true } as const

const hangupCauses = [
  ...['NORMAL_CLEARING', 'USER_BUSY', 'NO_USER_RESPONSE', 'NO_ANSWER', 'SUBSCRIBER_ABSENT', 'CALL_REJECTED'],
  ...['NUMBER_CHANGED', 'DESTINATION_OUT_OF_ORDER', 'INVALID_NUMBER_FORMAT', 'UNALLOCATED_NUMBER'],
  ...['NO_ROUTE_DESTINATION', 'NORMAL_UNSPECIFIED', 'NORMAL_CIRCUIT_CONGESTION', 'NETWORK_OUT_OF_ORDER'],
  ...['NORMAL_TEMPORARY_FAILURE', 'SWITCH_CONGESTION', 'OUTGOING_CALL_BARRED', 'INCOMING_CALL_BARRED'],
  ...['BEARERCAPABILITY_NOTAVAIL', 'SERVICE_UNAVAILABLE', 'RECOVERY_ON_TIMER_EXPIRE', 'INTERWORKING'],
] as const

const cause = {
  kind: 'choice',
  name: 'cause',
  values: hangupCauses,
  byDefault: 'NORMAL_CLEARING',
} as const

const kinds: readonly StepKind[] = [
  { type: 'start', icon: IconFlag, group: null, fields: [], outcomes: [] },
  {
    type: 'play',
    icon: IconPlayerPlay,
    group: 'hear',
    fields: [
      { kind: 'reference', name: 'audio_id', of: 'audio', required: true },
      answer,
      { kind: 'flag', name: 'continue_on_play', byDefault: false },
    ],
    outcomes: [],
  },
  {
    type: 'tts',
    icon: IconSpeakerphone,
    group: 'hear',
    fields: [
      { kind: 'text', name: 'text', required: true },
      { kind: 'line', name: 'voice' },
      { kind: 'number', name: 'speed', min: 0.5, max: 2, byDefault: 1, step: 0.1 },
    ],
    outcomes: [],
  },
  {
    type: 'menu',
    icon: IconDialpad,
    group: 'ask',
    fields: [
      { kind: 'prompt', name: 'text' },
      keyWait,
      { kind: 'number', name: 'retries', min: 0, max: 10, byDefault: 2 },
      { kind: 'reference', name: 'invalid_audio_id', of: 'audio' },
    ],
    outcomes: [...keys, 'invalid', 'timeout'],
    initial: { text: '' },
    hasKeys: true,
  },
  {
    type: 'ivr',
    icon: IconHash,
    group: 'ask',
    fields: [
      { kind: 'number', name: 'max_digits', min: 1, max: 10, byDefault: 1 },
      keyWait,
      { kind: 'url', name: 'webhook_url' },
    ],
    outcomes: ['completed', 'timeout', 'error'],
  },
  {
    type: 'connect_agent',
    icon: IconUser,
    group: 'connect',
    fields: [{ kind: 'reference', name: 'agent_id', of: 'agent', required: true }, ringing, ringback],
    outcomes: [...reached, 'offline'],
  },
  {
    type: 'connect_team',
    icon: IconUsers,
    group: 'connect',
    fields: [
      { kind: 'reference', name: 'team_id', of: 'team', required: true },
      {
        kind: 'choice',
        name: 'strategy',
        values: ['ring-all', 'round-robin', 'sequential', 'random'],
        byDefault: 'ring-all',
      },
      ringing,
      ringback,
      { kind: 'queue', name: 'queue' },
    ],
    outcomes: ['completed', 'no_answer', 'offline', 'queue_full', 'queue_timeout', 'failed'],
  },
  {
    type: 'connect_voice_agent',
    icon: IconRobot,
    group: 'connect',
    fields: [
      { kind: 'reference', name: 'voice_agent_id', of: 'voice_agent', required: true },
      { kind: 'number', name: 'version', min: 1, max: 1_000_000, byDefault: 0 },
      ringing,
      { kind: 'number', name: 'max_duration_seconds', min: 1, max: 7200, byDefault: 300 },
      ringback,
    ],
    outcomes: ['completed', 'no_answer', 'failed'],
  },
  {
    type: 'to_operator',
    icon: IconPhoneOutgoing,
    group: 'connect',
    fields: [
      { kind: 'operator', name: 'phone_number' },
      { kind: 'reference', name: 'gateway_id', of: 'outbound_gateway' },
      ringing,
      ringback,
    ],
    outcomes: reached,
    initial: { phone_number: '' },
  },
  {
    type: 'go_to_extension',
    icon: IconPhoneCall,
    group: 'connect',
    fields: [{ kind: 'reference', name: 'extension_id', of: 'extension' }, ringing],
    outcomes: [...reached, 'offline', 'unknown'],
  },
  {
    type: 'voicemail',
    icon: IconMicrophone,
    group: 'connect',
    fields: [
      { kind: 'reference', name: 'greeting_audio_id', of: 'audio' },
      { kind: 'number', name: 'max_duration', min: 1, max: 3600, byDefault: 60 },
      { kind: 'flag', name: 'beep', byDefault: true },
    ],
    outcomes: [],
  },
  {
    type: 'business_hours',
    icon: IconClockHour4,
    group: 'decide',
    fields: [{ kind: 'hours', name: 'hours' }],
    outcomes: ['open', 'closed', 'holiday'],
    initial: {
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    },
  },
  {
    type: 'condition',
    icon: IconQuestionMark,
    group: 'decide',
    fields: [{ kind: 'conditions', name: 'conditions' }],
    outcomes: ['true', 'false'],
    initial: { conditions: [{ subject: 'caller_number', operator: 'equals', value: '' }] },
  },
  {
    type: 'split',
    icon: IconArrowsSplit2,
    group: 'decide',
    fields: [{ kind: 'branches', name: 'branches' }],
    outcomes: branchesOf,
    initial: {
      branches: [
        { outcome: 'a', percent: 50 },
        { outcome: 'b', percent: 50 },
      ],
    },
  },
  {
    type: 'set_variable',
    icon: IconVariable,
    group: 'decide',
    fields: [
      { kind: 'line', name: 'name', required: true },
      { kind: 'line', name: 'value', hint: 'placeholders' },
    ],
    outcomes: [],
    initial: { name: '', value: '' },
  },
  {
    type: 'contact_lookup',
    icon: IconAddressBook,
    group: 'tell',
    fields: [{ kind: 'url', name: 'url' }],
    outcomes: ['found', 'not_found', 'error'],
  },
  {
    type: 'json_call_action',
    icon: IconServer,
    group: 'tell',
    fields: [{ kind: 'url', name: 'url', required: true }],
    outcomes: ['completed', 'error'],
  },
  {
    type: 'send_message',
    icon: IconMessage,
    group: 'tell',
    fields: [
      { kind: 'reference', name: 'from', of: 'phone_number', required: true },
      { kind: 'line', name: 'to' },
      { kind: 'text', name: 'body', required: true, hint: 'placeholders' },
    ],
    outcomes: ['sent', 'failed'],
    initial: { body: '' },
  },
  {
    type: 'recording',
    icon: IconPlayerRecord,
    group: 'tell',
    fields: [
      { kind: 'choice', name: 'format', values: ['wav', 'mp3'], byDefault: 'wav' },
      { kind: 'flag', name: 'stereo', byDefault: false },
      answer,
    ],
    outcomes: [],
  },
  {
    type: 'stream',
    icon: IconBroadcast,
    group: 'tell',
    fields: [
      { kind: 'url', name: 'ws_url', required: true },
      { kind: 'choice', name: 'track', values: ['both', 'inbound', 'outbound'], byDefault: 'both' },
      { kind: 'choice', name: 'sample_rate', values: ['8000', '16000'], byDefault: '8000' },
      { kind: 'flag', name: 'bidirectional', byDefault: false },
      answer,
      { kind: 'headers', name: 'headers' },
    ],
    outcomes: ['completed', 'failed'],
  },
  { type: 'hangup', icon: IconPhoneOff, group: 'end', fields: [cause], outcomes: null },
  { type: 'disconnect', icon: IconPhoneOff, group: 'end', fields: [cause], outcomes: null },
]

const byType = new Map(kinds.map((kind) => [kind.type, kind]))

/** All that can be added, by their groups. */
export const offered: readonly StepKind[] = [...byType.values()].filter(({ group }) => group !== null)

/** Undefined for a type that this console does not know yet: it is shown, and kept as it is. */
export function kindOf(type: string): StepKind | undefined {
  return byType.get(type)
}

function branchesOf({ branches }: Params): readonly string[] {
  if (!Array.isArray(branches)) return []
  const named = branches.flatMap((branch) =>
    isRecord(branch) && typeof branch['outcome'] === 'string' && branch['outcome'] !== ''
      ? [branch['outcome']]
      : [],
  )
  return [...new Set(named)]
}

/** All outcomes of a step, `default` last; none when it ends the call. */
export function outcomesOf({ type, params, next }: { type: string; params: Params; next: object }): string[] {
  const kind = kindOf(type)
  if (!kind) return [...new Set([...Object.keys(next), otherwise])]
  if (kind.outcomes === null) return []
  const own = typeof kind.outcomes === 'function' ? kind.outcomes(params) : kind.outcomes
  return [...own, otherwise]
}

/** Those that are drawn: of keys, those with an edge and the next that is free. An edge is drawn also if it is wrong. */
export function shownOutcomes(step: { type: string; params: Params; next: object }): string[] {
  const all = outcomesOf(step)
  const strange = Object.keys(step.next).filter((outcome) => !all.includes(outcome))
  if (!kindOf(step.type)?.hasKeys) return [...all, ...strange]
  const free = keys.find((key) => !(key in step.next))
  return [
    ...all.filter((outcome) => !keys.includes(outcome) || outcome in step.next || outcome === free),
    ...strange,
  ]
}
