/** Text of an alert in the viewer's language. */
import { countryOf } from '../../design/country-field'
import { countOf, moneyOf } from '../../design/values'
import type { Translate } from '../../i18n/texts'
import type { Alert } from './queries'
import type { alertsTexts } from './texts'

export function happenedOf(alert: Alert, t: Translate<typeof alertsTexts.en>): string {
  const { kind, country_code, details, message } = alert
  // Alerts of older versions have no figures.
  if (!details) return message
  const figure = (name: string) => Number(details[name] ?? 0)
  const word = (name: string) => String(details[name] ?? '')
  const values = {
    country: country_code ? countryOf(country_code) : '',
    calls: countOf(figure('calls')),
    usual: countOf(figure('usual')),
    seconds: countOf(figure('seconds')),
    spent: moneyOf(Number(figure('spent').toFixed(2))),
    max: moneyOf(figure('max')),
    number: word('number'),
    phone: word('phone_title'),
  }
  return t(`happened_${kind}`, values)
}
