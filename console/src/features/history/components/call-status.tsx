import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { HistoryCall } from '../queries'
import { historyTexts } from '../texts'

const tones: Readonly<Record<HistoryCall['status'], Tone>> = {
  created: 'idle',
  ringing: 'idle',
  started: 'busy',
  active: 'busy',
  completed: 'good',
  failed: 'bad',
  busy: 'warn',
  no_answer: 'warn',
  canceled: 'warn',
}

export function CallStatus({ status }: Pick<HistoryCall, 'status'>) {
  const t = useTexts(historyTexts)
  return <StateBadge tone={tones[status]}>{t(status)}</StateBadge>
}
