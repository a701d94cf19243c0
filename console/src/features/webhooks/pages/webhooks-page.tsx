import { Anchor, Group, Stack, Switch, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { resourcePage } from '../../../design/resource-page'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { DeliveryState, WebhookState } from '../components/states'
import { useDeleting } from '../components/use-deleting'
import { useSwitch } from '../components/use-switch'
import { WebhookForm } from '../components/webhook-form'
import { everyEvent } from '../events'
import type { Webhook } from '../queries'
import { webhooksTexts } from '../texts'

/** How many events are named in a row. */
const namedEvents = 2

const nameOf = ({ title, url }: Webhook) => title || url

export const WebhooksPage = resourcePage({
  path: '/webhooks',
  texts: webhooksTexts,
  columns: (t) => [
    {
      key: 'title',
      header: t('webhook'),
      sort: 'title',
      render: ({ id, title, url }: Webhook) => (
        <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/webhooks/$id" params={{ id }} />}>
            {title || url}
          </Anchor>
          {title && (
            <Text size="xs" c="dimmed">
              {url}
            </Text>
          )}
        </Stack>
      ),
    },
    { key: 'events', header: t('events'), render: ({ events }) => <EventNames events={events} /> },
    { key: 'state', header: t('active'), render: (webhook) => <Active webhook={webhook} /> },
    { key: 'last', header: t('lastDelivery'), render: (webhook) => <LastDelivery {...webhook} /> },
  ],
  nameOf,
  form: ({ row, close }) => <WebhookForm {...(row && { webhook: row })} onDone={close} />,
  editTitle: (t) => t('edit'),
  useRemove: useDeleting,
})

function EventNames({ events }: Pick<Webhook, 'events'>) {
  const t = useTexts(webhooksTexts)
  if (events.includes(everyEvent)) return t('allEvents')
  const more = events.length - namedEvents
  return (
    <Text size="sm" title={events.join(', ')}>
      {events.slice(0, namedEvents).join(', ')}
      {more > 0 && ` +${more}`}
    </Text>
  )
}

function Active({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const switching = useSwitch()
  return (
    <Group gap="xs" wrap="nowrap">
      <Switch
        size="sm"
        aria-label={t('on', { name: nameOf(webhook) })}
        checked={webhook.is_active}
        onChange={({ currentTarget }) =>
          switching.mutate({ id: webhook.id, is_active: currentTarget.checked })
        }
      />
      <WebhookState webhook={webhook} />
    </Group>
  )
}

function LastDelivery({ last_delivery: last }: Webhook) {
  const t = useTexts(webhooksTexts)
  if (!last)
    return (
      <Text size="sm" c="dimmed">
        {t('none')}
      </Text>
    )
  return (
    <Group gap="xs">
      <DeliveryState status={last.status} />
      <Time at={last.created_at} />
    </Group>
  )
}
