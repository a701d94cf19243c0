/** Why a message was not delivered: in words, and as the carrier reports it. */
import { Text } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import type { Message } from '../queries'
import { messagesTexts } from '../texts'

/** The platform's own reasons, and those of SMPP receipts (3.4, appendix B); all others are the carrier's. */
const explained = {
  no_route: 'error_no_route',
  expired: 'error_expired',
  no_receipt: 'error_no_receipt',
  too_long: 'error_too_long',
  no_media: 'error_files',
  media_unsupported: 'error_files',
  unreachable: 'error_unreachable',
  not_bound: 'error_unreachable',
  address_refused: 'error_unreachable',
  EXPIRED: 'error_unreached',
  UNDELIV: 'error_refused',
  REJECTD: 'error_refused',
} as const

export function Failure({ error_code, error_message }: Pick<Message, 'error_code' | 'error_message'>) {
  const t = useTexts(messagesTexts)
  const words = Object.entries(explained).find(([code]) => code === error_code)?.[1] ?? 'error_theirs'
  return (
    <>
      {error_message && <Text size="sm">{error_message}</Text>}
      <Text size="sm">{t(words)}</Text>
      {error_code && (
        <Text size="xs" c="dimmed" translate="no">
          {t('error_code', { code: error_code })}
        </Text>
      )}
    </>
  )
}
