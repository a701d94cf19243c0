import { Text } from '@mantine/core'
import { NumbersIn, StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { OwnCallDetail } from '../own-calls'
import { callWords } from '../texts'
import type { CallRecord } from '../workspace-calls'
import { CallStatusBadge } from './call-status'

export type CallOutcome = NonNullable<CallRecord['outcome']>

export const callOutcomes = [
  ...(['answered', 'voice_agent', 'voicemail', 'self_service'] as const),
  ...(['abandoned', 'missed', 'refused', 'failed'] as const),
] as const satisfies readonly CallOutcome[]

const tones: Readonly<Record<CallOutcome, Tone>> = {
  answered: 'good',
  voice_agent: 'good',
  self_service: 'good',
  voicemail: 'warn',
  abandoned: 'bad',
  missed: 'bad',
  refused: 'idle',
  failed: 'bad',
}

/** What the call came to; its state while it lives. */
export function CallOutcomeBadge({
  call: { outcome, abandoned_in, status, direction, side },
}: {
  call: Pick<CallRecord, 'outcome' | 'abandoned_in' | 'status' | 'direction'> & {
    /** Of the agent who reads it, where they had a part in the call. */
    side?: OwnCallDetail['side']
  }
}) {
  const t = useTexts(callWords)
  if (outcome === null) return <CallStatusBadge status={status} />
  // An own call is given up, rather than lost; the colleague it was for has missed it.
  if (abandoned_in === 'ringing' && direction === 'outbound') {
    if (side === 'incoming') return <StateBadge tone={tones.missed}>{t('outcome_missed')}</StateBadge>
    return <StateBadge tone="idle">{t('canceled')}</StateBadge>
  }
  const word = abandoned_in === null ? t(`outcome_${outcome}`) : t(`abandoned_${abandoned_in}`)
  return <StateBadge tone={tones[outcome]}>{word}</StateBadge>
}

type Handled = Pick<CallRecord, 'answered_by' | 'missed_by' | 'agent'>

/** Who took a call; or who did not. */
export function HandledBy({ call: { answered_by, missed_by, agent } }: { call: Handled }) {
  const t = useTexts(callWords)
  if (answered_by) return <NumbersIn text={answered_by.name || t('deleted')} />
  if (missed_by.length > 0)
    return (
      <Text span inherit c="dimmed">
        {t('missedByNames', { names: namesOf(missed_by) })}
      </Text>
    )
  return agent?.display_name ?? '–'
}

export function MissedBy({ call: { missed_by } }: { call: Pick<Handled, 'missed_by'> }) {
  return namesOf(missed_by) || '–'
}

function namesOf(agents: Handled['missed_by']): string {
  return agents.map(({ display_name }) => display_name).join(', ')
}
