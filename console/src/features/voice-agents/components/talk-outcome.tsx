import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { moneyOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { outcomeQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'

/** End reason and cost of a call. */
export function TalkOutcome({ callId }: { callId: string }) {
  const t = useTexts(voiceAgentsTexts)
  const { data } = useQuery(outcomeQuery(callId))
  if (!data?.isOver) return null
  if (!data.hasCome) return <Alert color="red">{t('didNotCome')}</Alert>
  const { end_reason: reason, cost } = data
  if (reason === null) return null
  return (
    <Text role="status">
      {t(`end_${reason}`)} {t('talkCost', { cost: moneyOf(cost) })}
    </Text>
  )
}
