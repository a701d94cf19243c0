/** Deliveries of one webhook. */
import { dataOf } from '@jackfield/sdk'
import { Anchor, Button, Select, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconReload, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { wordOf } from '../../../api/lists'
import { useAction } from '../../../api/use-action'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState } from '../../../design/page'
import { Time, countOf, momentOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { RowAction } from '../../../design/row-actions'
import { useTexts } from '../../../i18n/texts'
import {
  type DeliveriesSearch,
  type Delivery,
  type Webhook,
  deliveriesKey,
  deliveriesQuery,
  deliveryStates,
  sentEvents,
  webhooksKey,
} from '../queries'
import { webhooksTexts } from '../texts'
import { Answer, millisecondsOf } from './answer'
import { DeliveryState } from './states'
import { useResend } from './use-resend'
import { TestButton } from './webhook-actions'

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { id, is_active: isActive } = webhook
  const search = useSearch({ from: '/shell/admin/webhooks/$id' })
  const navigate = useNavigate({ from: '/webhooks/$id' })
  const query = useQuery(deliveriesQuery(id, search))
  const resend = useResend(id)
  const columns = useColumns(id)
  return (
    <DataTable
      label={t('deliveries')}
      query={query}
      columns={columns}
      rowKey={(delivery) => delivery.id}
      search={search}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
      isFiltered={search.status !== undefined || search.event !== undefined}
      filters={
        <>
          <Filters
            search={search}
            onChange={(change) =>
              void navigate({ search: ({ page: _, ...before }) => ({ ...before, ...change }) })
            }
          />
          {search.status === 'failed' && <ResendAll webhook={webhook} />}
        </>
      }
      empty={
        <EmptyState icon={IconSend} title={t('noDeliveries')} action={<TestButton webhook={webhook} />}>
          {t('noDeliveriesHint')}
        </EmptyState>
      }
      rowActions={(delivery) => (
        <RowAction
          label={t('resendOne', { event: delivery.event, time: momentOf(delivery.created_at) })}
          icon={IconReload}
          isDisabled={!isActive}
          onClick={() => resend.mutate(delivery.id)}
        />
      )}
    />
  )
}

function useColumns(id: string): Column<Delivery>[] {
  const t = useTexts(webhooksTexts)
  return [
    {
      key: 'created_at',
      header: t('sent'),
      sort: 'created_at',
      render: (delivery) => (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/webhooks/$id/deliveries/$deliveryId"
              params={{ id, deliveryId: delivery.id }}
            />
          )}
        >
          <Time at={delivery.created_at} exact />
        </Anchor>
      ),
    },
    { key: 'event', header: t('event'), render: ({ event }) => <Text size="sm">{event}</Text> },
    {
      key: 'status',
      header: useTexts(common)('state'),
      render: (delivery) => <DeliveryState {...delivery} />,
    },
    { key: 'answer', header: t('answer'), render: (delivery) => <Answer {...delivery} /> },
    {
      key: 'duration',
      header: t('duration'),
      align: 'right',
      render: ({ duration_ms: duration }) => millisecondsOf(duration),
    },
    { key: 'attempts', header: t('attempts'), align: 'right', render: ({ attempts }) => countOf(attempts) },
    {
      key: 'next',
      header: t('nextAttempt'),
      render: ({ status, next_attempt_at: next }) => <Time at={status === 'pending' ? next : null} exact />,
    },
  ]
}

function Filters({
  search: { status, event },
  onChange,
}: {
  search: DeliveriesSearch
  onChange: (change: { [Field in 'status' | 'event']?: DeliveriesSearch[Field] | undefined }) => void
}) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(common)
  return (
    <>
      <Select
        aria-label={c('state')}
        placeholder={t('anyState')}
        clearable
        clearButtonProps={{ 'aria-label': t('anyState') }}
        data={deliveryStates.map((value) => ({ value, label: t(value) }))}
        value={status ?? null}
        onChange={(value) => onChange({ status: wordOf(value, deliveryStates) })}
        w={170}
      />
      <Select
        aria-label={t('event')}
        placeholder={t('anyEvent')}
        clearable
        searchable
        clearButtonProps={{ 'aria-label': t('anyEvent') }}
        data={sentEvents}
        value={event ?? null}
        onChange={(value) => onChange({ event: wordOf(value, sentEvents) })}
        w={220}
      />
    </>
  )
}

function ResendAll({ webhook: { id, is_active: isActive } }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const c = useTexts(common)
  const { mutate, isPending } = useAction({
    run: async () => dataOf(api.POST('/webhooks/{id}/resend-failed', { params: { path: { id } } })),
    changes: [[...deliveriesKey, id], webhooksKey],
    done: ({ resent }) => t('resentAll', { count: resent }),
  })
  const ask = () =>
    modals.openConfirmModal({
      title: t('resendAllQuestion'),
      children: <Text>{t('resendAllText')}</Text>,
      labels: { confirm: t('resend'), cancel: c('cancel') },
      onConfirm: () => mutate(),
    })
  return (
    <Button
      variant="default"
      leftSection={<IconReload size={18} aria-hidden />}
      loading={isPending}
      disabled={!isActive}
      onClick={ask}
    >
      {t('resendAll')}
    </Button>
  )
}
