import { Alert, Card, SimpleGrid, Stack, Switch, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Facts } from '../../../design/facts'
import { Answered, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { Deliveries } from '../components/deliveries'
import { WebhookState } from '../components/states'
import { useSwitch } from '../components/use-switch'
import { WebhookActions } from '../components/webhook-actions'
import { everyEvent } from '../events'
import { type Webhook, webhookQuery } from '../queries'
import { webhooksTexts } from '../texts'

export function WebhookPage() {
  const { id } = useParams({ from: '/shell/admin/webhooks/$id' })
  const t = useTexts(webhooksTexts)
  const query = useQuery(webhookQuery(id))
  const webhook = query.data
  return (
    <Page
      title={webhook ? webhook.title || webhook.url : t('webhook')}
      up={<UpLink to="/webhooks">{t('heading')}</UpLink>}
      actions={webhook && <WebhookActions webhook={webhook} />}
    >
      <Answered query={query}>
        {(shown) => (
          <Stack>
            <Troubles webhook={shown} />
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Card withBorder>
                <WebhookFacts webhook={shown} />
              </Card>
              <Card withBorder>
                <ActiveSwitch webhook={shown} />
              </Card>
            </SimpleGrid>
            <Title order={2} size="h4">
              {t('deliveries')}
            </Title>
            <Deliveries webhook={shown} />
          </Stack>
        )}
      </Answered>
    </Page>
  )
}

function Troubles({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { is_active: isActive, disabled_reason: reason, failing_since: since } = webhook
  if (!isActive && reason)
    return (
      <Alert color="red" title={t('switchedOffTitle')}>
        {reason}
      </Alert>
    )
  if (!isActive || !since) return null
  return <Alert color="yellow">{t('failingText')}</Alert>
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(common)
  const { url, events, failing_since: failing, created_at, updated_at } = webhook
  return (
    <Facts
      facts={[
        [t('url'), url],
        [t('events'), events.includes(everyEvent) ? t('allEvents') : events.join(', ')],
        ...(failing ? [[t('failingSince'), <Time key="failing" at={failing} exact />] as const] : []),
        [c('created'), <Time key="created" at={created_at} />],
        [c('updated'), <Time key="updated" at={updated_at} />],
      ]}
    />
  )
}

function ActiveSwitch({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const switching = useSwitch()
  return (
    <Stack gap="sm" align="flex-start">
      <WebhookState webhook={webhook} />
      <Switch
        label={t('switchOn')}
        description={t('switchOnHint')}
        checked={webhook.is_active}
        onChange={({ currentTarget }) =>
          switching.mutate({ id: webhook.id, is_active: currentTarget.checked })
        }
      />
    </Stack>
  )
}
