/** What an agent does right now, in words and colour. */
import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { StateName } from '../queries'
import { presenceTexts } from '../texts'

const tones: Readonly<Record<StateName, Tone>> = {
  available: 'good',
  incall: 'busy',
  busy: 'bad',
  offline: 'idle',
}

export function PresenceState({ state }: { state: StateName }) {
  const t = useTexts(presenceTexts)
  return <StateBadge tone={tones[state]}>{t(state)}</StateBadge>
}
