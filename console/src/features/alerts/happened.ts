/** What an alert tells, in the language of who reads it. */
import { countOf, moneyOf } from '../../design/values'
import { locale } from '../../i18n/language'
import type { Translate } from '../../i18n/texts'
import type { Alert } from './queries'
import type { alertsTexts } from './texts'

export function happenedOf(alert: Alert, t: Translate<typeof alertsTexts.en>): string {
  const { kind, country_code, details, message } = alert
  // Older ones have no figures of their own.
  if (!details) return message
  const values = {
    country: country_code
      ? (new Intl.DisplayNames([locale()], { type: 'region' }).of(country_code) ?? country_code)
      : '',
    calls: countOf(details.calls ?? 0),
    usual: countOf(details.usual ?? 0),
    seconds: countOf(details.seconds ?? 0),
    spent: moneyOf(Number((details.spent ?? 0).toFixed(2))),
    max: moneyOf(details.max ?? 0),
  }
  return t(`happened_${kind}`, values)
}
