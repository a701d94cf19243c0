/** State of a webhook and of a delivery. */
import { StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Delivery, Webhook } from '../queries'
import { webhooksTexts } from '../texts'

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { is_active: isActive, disabled_reason: reason, failing_since: failing } = webhook
  if (!isActive && reason) return <StateBadge tone="bad">{t('switchedOff')}</StateBadge>
  if (!isActive) return <StateBadge tone="idle">{t('off')}</StateBadge>
  if (failing) return <StateBadge tone="warn">{t('failing')}</StateBadge>
  return <StateBadge tone="good">{t('active')}</StateBadge>
}

const tones: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'busy',
  delivered: 'good',
  failed: 'bad',
}

export function DeliveryState({ status }: Pick<Delivery, 'status'>) {
  const t = useTexts(webhooksTexts)
  return <StateBadge tone={tones[status]}>{t(status)}</StateBadge>
}
