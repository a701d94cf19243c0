import { Button, Card, SimpleGrid, Stack } from '@mantine/core'
import { IconReload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Facts } from '../../../design/facts'
import { Answered, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { CopyValue, Time, countOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { millisecondsOf } from '../components/answer'
import { Attempts } from '../components/attempts'
import { RequestCard, ResponseCard } from '../components/exchange'
import { DeliveryState } from '../components/states'
import { useResend } from '../components/use-resend'
import { type DeliveryDetail, deliveryQuery, webhookQuery } from '../queries'
import { webhooksTexts } from '../texts'

export function DeliveryPage() {
  const { id, deliveryId } = useParams({ from: '/shell/admin/webhooks/$id/deliveries/$deliveryId' })
  const t = useTexts(webhooksTexts)
  const query = useQuery(deliveryQuery(id, deliveryId))
  const webhook = useQuery(webhookQuery(id)).data
  const resend = useResend(id)
  return (
    <Page
      title={query.data?.event ?? t('delivery')}
      up={webhook && <UpLink to={`/webhooks/${id}`}>{webhook.title || webhook.url}</UpLink>}
      actions={
        <Button
          leftSection={<IconReload size={18} aria-hidden />}
          disabled={!webhook?.is_active}
          loading={resend.isPending}
          onClick={() => resend.mutate(deliveryId)}
        >
          {t('resend')}
        </Button>
      }
    >
      <Answered query={query}>
        {(delivery) => (
          <Stack>
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Card withBorder>
                <DeliveryFacts delivery={delivery} />
              </Card>
              <Attempts attempts={delivery.attempt_log} />
              <RequestCard request={delivery.request} />
              <ResponseCard response={delivery.response} />
            </SimpleGrid>
          </Stack>
        )}
      </Answered>
    </Page>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(common)
  const { id, status, attempts, error, duration_ms: duration } = delivery
  const { created_at, attempted_at, next_attempt_at: next } = delivery
  return (
    <Facts
      facts={[
        [
          'Jackfield-Delivery',
          <span key="id">
            {id} <CopyValue value={id} what="Jackfield-Delivery" />
          </span>,
        ],
        [c('state'), <DeliveryState key="state" status={status} />],
        [t('sent'), <Time key="created" at={created_at} exact />],
        [t('attempts'), countOf(attempts)],
        [t('attemptedAt'), <Time key="attempted" at={attempted_at} exact />],
        [t('duration'), millisecondsOf(duration)],
        ...(error ? [[t('error'), error] as const] : []),
        ...(status === 'pending' ? [[t('nextAttempt'), <Time key="next" at={next} exact />] as const] : []),
      ]}
    />
  )
}
