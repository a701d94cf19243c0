/** Audit actions: `agent.update` is a noun and a verb. */
import { textOf } from '../../i18n/texts'
import { auditLogTexts } from './texts'

export const nouns = [
  ...(['address_book', 'agent', 'ai_provider_key', 'api_key', 'audio', 'audit_log', 'call_flow'] as const),
  ...(['canned_reply', 'erasure', 'message'] as const),
  ...([
    'call',
    'contact',
    'conversation',
    'credit',
    'extension',
    'inbound_acl',
    'opt_out',
    'outbound_gateway',
  ] as const),
  ...([
    'phone_number',
    'push_credential',
    'recording',
    'signing_secret',
    'sip_account',
    'sip_capture',
    'team',
  ] as const),
  ...(['transcript'] as const),
  ...(['team_member', 'voice_agent', 'voice_agent_evaluation_script', 'voice_agent_settings'] as const),
  ...(['voice_agent_tool', 'usage', 'webhook', 'workspace'] as const),
] as const

/** Actions outside of any workspace. */
export const platformNouns = ['ai_provider', 'carrier', 'rate_deck'] as const

export type Noun = (typeof nouns)[number] | (typeof platformNouns)[number]

const verbs = [
  ...(['create', 'update', 'delete', 'state', 'rotate', 'disable', 'import', 'read', 'export'] as const),
  ...(['supervise', 'login', 'login_failed', 'locked_out', 'password_failed', 'refresh_reused'] as const),
  ...(['complete', 'invite', 'uninvite', 'enter', 'leave'] as const),
] as const

export type Verb = (typeof verbs)[number]

/** Nouns with verbs other than create, update and delete. */
const ownVerbs: Partial<Record<Noun, readonly Verb[]>> = {
  agent: [
    ...(['create', 'update', 'delete', 'state', 'login', 'login_failed', 'locked_out'] as const),
    ...(['password_failed', 'refresh_reused', 'invite', 'uninvite'] as const),
  ],
  api_key: ['create', 'delete'],
  call: ['supervise', 'export', 'delete'],
  credit: ['create'],
  erasure: ['create', 'complete'],
  message: ['delete'],
  opt_out: ['create', 'delete'],
  rate_deck: ['create', 'update', 'delete', 'import', 'export'],
  recording: ['read', 'update', 'delete'],
  signing_secret: ['rotate'],
  sip_capture: ['read'],
  transcript: ['read'],
  usage: ['export'],
  webhook: ['create', 'update', 'delete', 'disable'],
  workspace: ['create', 'update', 'delete', 'enter', 'leave'],
}

export function verbsOf(noun: Noun): readonly Verb[] {
  return ownVerbs[noun] ?? ['create', 'update', 'delete']
}

export const nounOf = (word: string | undefined): Noun | undefined =>
  [...nouns, ...platformNouns].find((noun) => noun === word)
export const verbOf = (word: string | undefined) => verbs.find((verb) => verb === word)

/** A noun in words; the API's own name if a newer server has more of them. */
export function nounText(word: string): string {
  const noun = nounOf(word)
  return noun ? textOf(auditLogTexts, `noun_${noun}`) : word
}

export function actionText(action: string): string {
  const [noun = '', verb = ''] = action.split('.')
  const known = verbOf(verb)
  return `${nounText(noun)} ${known ? textOf(auditLogTexts, `verb_${known}`) : verb}`
}
