import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { PresenceState } from '../../presence/components/presence-state'
import type { Agent } from '../queries'
import { agentsTexts } from '../texts'

/** Current state of an agent; inactive accounts have none. */
export function AgentState({
  agent: { state, is_ringing, is_active },
}: {
  agent: Pick<Agent, 'state' | 'is_ringing' | 'is_active'>
}) {
  const t = useTexts(agentsTexts)
  if (!is_active) return <StateBadge tone="bad">{t('inactive')}</StateBadge>
  return <PresenceState state={state} is_ringing={is_ringing} />
}
