import { Anchor, Group, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { FormModal } from '../../../design/forms'
import { EmptyState, Page } from '../../../design/page'
import { RowActions } from '../../../design/row-actions'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { menuTexts } from '../../texts'
import { DeliveryState, WebhookState } from '../components/states'
import { useDeleting } from '../components/use-deleting'
import { useSwitch } from '../components/use-switch'
import { WebhookForm } from '../components/webhook-form'
import { everyEvent } from '../events'
import { type Webhook, webhooksQuery } from '../queries'
import { webhooksTexts } from '../texts'

/** How many events are named in a row. */
const namedEvents = 2

export function WebhooksPage() {
  const t = useTexts(webhooksTexts)
  const heading = useTexts(menuTexts.webhooks)('title')
  const search = useSearch({ from: '/shell/admin/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  const query = useQuery(webhooksQuery(search))
  const [isAdding, adding] = useDisclosure()
  const [edited, setEdited] = useState<Webhook>()
  const remove = useDeleting()
  const columns = useColumns()
  const add = <AddButton onClick={adding.open}>{t('add')}</AddButton>
  return (
    <Page title={heading} description={t('description')} actions={add}>
      <DataTable
        label={heading}
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        empty={
          <EmptyState icon={IconWebhook} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(webhook) => (
          <RowActions
            name={webhook.title || webhook.url}
            onEdit={() => setEdited(webhook)}
            onDelete={() => remove(webhook)}
          />
        )}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <WebhookForm onDone={adding.close} />
      </FormModal>
      <FormModal title={t('edit')} opened={edited !== undefined} onClose={() => setEdited(undefined)}>
        {edited && <WebhookForm webhook={edited} onDone={() => setEdited(undefined)} />}
      </FormModal>
    </Page>
  )
}

function useColumns(): Column<Webhook>[] {
  const t = useTexts(webhooksTexts)
  const switching = useSwitch()
  return [
    {
      key: 'title',
      header: t('webhook'),
      sort: 'title',
      render: ({ id, title, url }) => (
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
    {
      key: 'state',
      header: t('active'),
      render: (webhook) => (
        <Group gap="xs" wrap="nowrap">
          <Switch
            size="sm"
            aria-label={t('on', { name: webhook.title || webhook.url })}
            checked={webhook.is_active}
            onChange={({ currentTarget }) =>
              switching.mutate({ id: webhook.id, is_active: currentTarget.checked })
            }
          />
          <WebhookState webhook={webhook} />
        </Group>
      ),
    },
    {
      key: 'last',
      header: t('lastDelivery'),
      render: ({ last_delivery: last }) =>
        last ? (
          <Group gap="xs">
            <DeliveryState status={last.status} />
            <Time at={last.created_at} />
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {t('none')}
          </Text>
        ),
    },
  ]
}

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
