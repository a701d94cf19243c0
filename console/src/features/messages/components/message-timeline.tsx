import { Text, Timeline } from '@mantine/core'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { MessageDetail } from '../queries'
import type { MessageStatus } from '../search'
import { messagesTexts } from '../texts'
import { Failure } from './failure'

export function MessageTimeline({ message }: { message: MessageDetail }) {
  const t = useTexts(messagesTexts)
  const { status } = message
  const hasFailed = status === 'failed' || status === 'undelivered'
  const steps = stepsOf(message)
  return (
    <Timeline bulletSize={14} lineWidth={2} active={steps.length} color={hasFailed ? 'red' : 'blue'}>
      {steps.map((step) => (
        <Timeline.Item key={step.status} title={t(step.title)}>
          <Text size="xs" c="dimmed">
            <Time at={step.at} exact />
          </Text>
          {hasFailed && step.status === status && <Failure {...message} />}
          {status === 'sent' && step.status === 'sent' && <Text size="sm">{t('noReceipt')}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

/** Statuses of a message, each with its time. */
function stepsOf({ direction, status, created_at, sent_at, updated_at }: MessageDetail) {
  const step = (one: MessageStatus, at: string, title: MessageStatus | 'accepted' = one) => ({
    ...{ status: one, at, title },
  })
  if (direction === 'inbound') return [step('received', created_at)]
  const isBetween = status === 'queued' || status === 'sent'
  return [
    step('queued', created_at, status === 'queued' ? status : 'accepted'),
    ...(sent_at ? [step('sent', sent_at)] : []),
    ...(isBetween ? [] : [step(status, updated_at)]),
  ]
}
