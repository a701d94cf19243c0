/** Why a message was not delivered: in words, and as the carrier reports it. */
import { Text } from '@mantine/core'
import { useFailureWords } from '../../../api/message-failures/failure-words'
import { useTexts } from '../../../i18n/texts'
import type { Message } from '../queries'
import { messagesTexts } from '../texts'

export function Failure({ error_code, error_message }: Pick<Message, 'error_code' | 'error_message'>) {
  const t = useTexts(messagesTexts)
  const wordsOf = useFailureWords()
  const words = wordsOf({ error_code, error_message })
  return (
    <>
      {error_message && words === undefined && <Text size="sm">{error_message}</Text>}
      <Text size="sm">{words ?? t('error_theirs')}</Text>
      {error_code && (
        <Text size="xs" c="dimmed" translate="no">
          {t('error_code', { code: error_code })}
        </Text>
      )}
    </>
  )
}
