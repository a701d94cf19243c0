import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Number } from '../queries'
import { numbersTexts } from '../texts'

const tones = { active: 'good', pending: 'warn', inactive: 'idle' } as const

export function NumberStatus({ status }: Pick<Number, 'status'>) {
  const t = useTexts(numbersTexts)
  return <StateBadge tone={tones[status]}>{t(status)}</StateBadge>
}
