/** Response to an attempt, or why there was none. */
import { Text } from '@mantine/core'
import { countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { webhooksTexts } from '../texts'

interface AnswerProps {
  response_status: number | null
  error: string | null
}

export function Answer({ response_status: status, error }: AnswerProps) {
  const t = useTexts(webhooksTexts)
  if (status === null && error === null) return '–'
  return (
    <Text size="sm" {...(error && { title: error })}>
      {status ?? t('noAnswer')}
    </Text>
  )
}

export function millisecondsOf(duration: number | null): string {
  return duration === null ? '–' : `${countOf(duration)} ms`
}
