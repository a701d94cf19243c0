import type { PushCredential } from '../queries'
import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { pushCredentialsTexts } from '../texts'

/** The push service's last response for this credential. */
export function CredentialState({ last_error: error }: Pick<PushCredential, 'last_error'>) {
  const t = useTexts(pushCredentialsTexts)
  return error === null ? (
    <StateBadge tone="good">{t('ok')}</StateBadge>
  ) : (
    <StateBadge tone="bad">{t('refused')}</StateBadge>
  )
}
