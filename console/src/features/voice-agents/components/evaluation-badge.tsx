/** Result of a version's last evaluation. */
import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { LastEvaluation } from '../queries'
import { voiceAgentsTexts } from '../texts'

type Shown = Pick<LastEvaluation, 'status' | 'passed' | 'total' | 'is_stale'>

export function EvaluationBadge({ evaluation }: { evaluation: Shown | undefined }) {
  const t = useTexts(voiceAgentsTexts)
  if (!evaluation) return <StateBadge tone="idle">{t('notEvaluated')}</StateBadge>
  const { status, passed, total, is_stale } = evaluation
  if (status === 'running') return <StateBadge tone="busy">{t('running', { passed, total })}</StateBadge>
  if (status === 'failed') return <StateBadge tone="bad">{t('notPlayed')}</StateBadge>
  const tone = passed < total ? 'bad' : is_stale ? 'warn' : 'good'
  return <StateBadge tone={tone}>{t(is_stale ? 'passedBefore' : 'passedOf', { passed, total })}</StateBadge>
}
