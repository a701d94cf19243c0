import { dataOf } from '@jackfield/sdk'
import { Code, Group, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { gatewayAddress } from '../../../api/gateway-address'
import { api } from '../../../api/client'
import { created } from '../../../design/column-kinds'
import type { Column } from '../../../design/columns'
import { partOf } from '../../../design/part-of'
import { PhoneNumber, StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type OutboundGateway, gatewaysKey, gatewaysQuery } from '../queries'
import { trunksTexts } from '../texts'
import { Reached } from './reached'
import { RegistrationState } from './gateway-registration'
import { type ListOfPage, TrunkList } from './trunk-list'

const GatewayForm = partOf(async () => import('./gateway-form'), 'GatewayForm')

export function Gateways(page: ListOfPage<OutboundGateway>) {
  const t = useTexts(trunksTexts)
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
    created(t('created')),
  ]
  return (
    <TrunkList
      {...page}
      kind="gateway"
      icon={IconPlugConnected}
      query={useQuery(gatewaysQuery(page.search))}
      columns={columns}
      form={(row, close) => <GatewayForm {...(row && { gateway: row })} onDone={close} />}
      remove={{
        run: async ({ id }) => dataOf(api.DELETE('/sip-trunks/gateways/{id}', { params: { path: { id } } })),
        from: gatewaysKey,
      }}
    />
  )
}
