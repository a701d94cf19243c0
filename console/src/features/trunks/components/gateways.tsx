import { dataOf } from '@jackfield/sdk'
import { Code, Group, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gatewayAddress } from '../../../api/gateway-address'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { EmptyState } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowActions } from '../../../design/row-actions'
import { PhoneNumber, StateBadge, Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type OutboundGateway, gatewaysKey, gatewaysQuery } from '../queries'
import { trunksTexts } from '../texts'
import { Reached } from './reached'
import { RegistrationState } from './gateway-registration'
import type { TrunkListProps } from './trunk-list'

const GatewayForm = partOf(async () => import('./gateway-form'), 'GatewayForm')

export function Gateways({ search, onSearch, isAdding, onAdd, onAdded }: TrunkListProps) {
  const t = useTexts(trunksTexts)
  const c = useTexts(common)
  const [edited, setEdited] = useState<OutboundGateway>()
  const columns: Column<OutboundGateway>[] = [
    {
      key: 'title',
      header: t('titleField'),
      sort: 'title',
      render: ({ title, state, registration }) => (
        <Stack gap={2} align="flex-start">
          {title}
          {state === 'pending_approval' && (
            <>
              <StateBadge tone="warn">{t('pending')}</StateBadge>
              <Text size="xs" c="dimmed" maw={320}>
                {t('pendingHint')}
              </Text>
            </>
          )}
          {state === 'active' && <RegistrationState registration={registration} />}
        </Stack>
      ),
    },
    {
      key: 'caller',
      header: t('callerId'),
      render: ({ outbound_caller_id }) =>
        outbound_caller_id && /^\+?\d+$/.test(outbound_caller_id) ? (
          <PhoneNumber number={outbound_caller_id} />
        ) : (
          outbound_caller_id
        ),
    },
    {
      key: 'addresses',
      header: t('addresses'),
      render: ({ outbound_uris, reachability }) =>
        reachability ? (
          <Reached addresses={reachability} />
        ) : (
          <Group gap={4}>
            {outbound_uris.map(gatewayAddress).map((address) => (
              <Code key={address}>{address}</Code>
            ))}
          </Group>
        ),
    },
    {
      key: 'created',
      header: c('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  return (
    <>
      <DataTable
        label={t('gateways')}
        query={useQuery(gatewaysQuery(search))}
        columns={columns}
        rowKey={({ id }) => id}
        search={search}
        onSearch={onSearch}
        searchLabel={t('gatewaySearch')}
        empty={
          <EmptyState
            icon={IconPlugConnected}
            title={t('gatewayEmptyTitle')}
            action={<AddButton onClick={onAdd}>{t('gatewayAdd')}</AddButton>}
          >
            {t('gatewayEmptyHint')}
          </EmptyState>
        }
        rowActions={(gateway) => (
          <RowActions
            name={gateway.title}
            onEdit={() => setEdited(gateway)}
            onDelete={() =>
              confirmDelete({
                name: gateway.title,
                consequence: t('usedByNumbers'),
                run: async () =>
                  dataOf(api.DELETE('/sip-trunks/gateways/{id}', { params: { path: { id: gateway.id } } })),
                row: { from: gatewaysKey, id: gateway.id },
              })
            }
          />
        )}
      />
      <FormModal title={t('gatewayAdd')} opened={isAdding} onClose={onAdded}>
        <GatewayForm onDone={onAdded} />
      </FormModal>
      <FormModal
        title={t('gatewayEdit', { title: edited?.title ?? '' })}
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
      >
        {edited && <GatewayForm gateway={edited} onDone={() => setEdited(undefined)} />}
      </FormModal>
    </>
  )
}
