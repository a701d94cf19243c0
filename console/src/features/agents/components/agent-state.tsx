import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Agent } from '../queries'
import { agentsTexts } from '../texts'

const tones = { available: 'good', incall: 'busy', busy: 'warn', offline: 'idle' } as const

/** Where an agent is now; or that they cannot be anywhere. */
export function AgentState({ agent: { state, is_active } }: { agent: Pick<Agent, 'state' | 'is_active'> }) {
  const t = useTexts(agentsTexts)
  if (!is_active) return <StateBadge tone="bad">{t('inactive')}</StateBadge>
  return <StateBadge tone={tones[state]}>{t(state)}</StateBadge>
}
