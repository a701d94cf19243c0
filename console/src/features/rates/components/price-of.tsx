import { StateBadge, exactMoneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Rate } from '../queries'
import { ratesTexts } from '../texts'

/** Price of a rate, or that it blocks calls. @param withUnit adds the unit, where no column names it */
export function PriceOf({ rate, withUnit = false }: { rate: Rate; withUnit?: boolean }) {
  const t = useTexts(ratesTexts)
  if (rate.is_blocked) return <StateBadge tone="bad">{t('blocked')}</StateBadge>
  const unit = withUnit ? ` ${t(rate.kind === 'message' ? 'segment' : 'minute')}` : ''
  return `${exactMoneyOf(rate.price)}${unit}`
}
