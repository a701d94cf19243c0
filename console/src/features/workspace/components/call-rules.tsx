import { countryOf } from '../../../design/country-field'
import { Facts } from '../../../design/facts'
import { countOf } from '../../../design/values'
import { locale } from '../../../i18n/language'
import { useTexts } from '../../../i18n/texts'
import type { Profile } from '../queries'
import { workspaceTexts } from '../texts'

/** Call restrictions that the operator has set for the workspace. */
export function CallRules({ calls }: Pick<Profile, 'calls'>) {
  const t = useTexts(workspaceTexts)
  const recorded = (may: boolean) => t(may ? 'mayBeRecorded' : 'mayNotBeRecorded')
  return (
    <Facts
      facts={[
        [t('perSecond'), countOf(calls.max_per_second)],
        [t('perAccount'), countOf(calls.max_concurrent_per_account)],
        [t('countries'), calls.allowed_countries ? countriesOf(calls.allowed_countries) : t('allCountries')],
        [t('premium'), t(calls.allow_premium_rate ? 'premiumAllowed' : 'premiumRefused')],
        [t('recording'), recorded(calls.recording)],
        [t('internalRecording'), recorded(calls.internal_recording)],
      ]}
    />
  )
}

function countriesOf(codes: readonly string[]): string {
  return new Intl.ListFormat(locale()).format(codes.map(countryOf))
}
