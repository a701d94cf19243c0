import { StateBadge, durationOf } from '../design/values'
import { useTexts } from '../i18n/texts'
import type { AppCallState } from './app-call-state'
import { mediaTexts, useEndedWords } from './ended-words'

/** How far a call of this page is. @param talking what the badge says while both sides are connected */
export function CallStateBadge({ state, talking }: { state: AppCallState; talking: string }) {
  const t = useTexts(mediaTexts)
  const endedBy = useEndedWords()
  switch (state.at) {
    case 'talking':
      if (state.isAway) return <StateBadge tone="warn">{t('stateAway')}</StateBadge>
      return <StateBadge tone="good">{talking}</StateBadge>
    case 'ended': {
      const lasted = durationOf(state.talkedMs / 1000)
      const isUsual = state.reason === 'hangup'
      return (
        <StateBadge tone={isUsual ? 'idle' : 'bad'}>
          {t(isUsual ? 'stateEnded' : 'stateFailed', { lasted, reason: endedBy(state.reason) })}
        </StateBadge>
      )
    }
    default:
      return <StateBadge tone="busy">{t('stateConnecting')}</StateBadge>
  }
}
