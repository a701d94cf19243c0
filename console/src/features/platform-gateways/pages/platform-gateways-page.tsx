import { Select, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { wordOf } from '../../../api/lists'
import { askedEveryMs } from '../../../api/platform'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { StateBadge, Time } from '../../../design/values'
import { WorkspaceFilter, WorkspaceLink } from '../../../design/workspaces'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { Addresses } from '../components/addresses'
import { Approval } from '../components/approval'
import { type Gateway, type GatewaysSearch, gatewayStates, platformGatewaysQuery } from '../queries'
import { platformGatewaysTexts } from '../texts'

type Change = { [Field in keyof GatewaysSearch]: GatewaysSearch[Field] | undefined }

export function PlatformGatewaysPage() {
  const t = useTexts(platformGatewaysTexts)
  const heading = t('heading')
  const search = useSearch({ from: '/shell/operator/platform/gateways' })
  const navigate = useNavigate({ from: '/platform/gateways' })
  const query = useQuery({ ...platformGatewaysQuery(search), refetchInterval: askedEveryMs })
  const change = (next: Change) => void navigate({ search: (before) => ({ ...before, ...next }) })
  const narrow = (next: Change) => change({ ...next, page: undefined })
  return (
    <Page title={heading} description={t('description')}>
      <DataTable
        label={heading}
        query={query}
        columns={useColumns()}
        rowKey={({ id }) => id}
        search={search}
        onSearch={change}
        searchLabel={t('search')}
        filters={
          <>
            <Select
              label={t('state')}
              placeholder={t('allStates')}
              data={gatewayStates.map((value) => ({ value, label: t(value) }))}
              clearable
              clearButtonProps={{ 'aria-label': t('allStates') }}
              w={250}
              value={search.state ?? null}
              onChange={(state) => narrow({ state: wordOf(state, gatewayStates) })}
            />
            <WorkspaceFilter value={search.workspace} onChange={(workspace) => narrow({ workspace })} />
          </>
        }
        isFiltered={search.state !== undefined || search.workspace !== undefined}
        empty={
          <EmptyState icon={IconPlugConnected} title={t('emptyTitle')}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(gateway) => <Approval gateway={gateway} />}
      />
    </Page>
  )
}

function useColumns(): Column<Gateway>[] {
  const [t, words] = [useTexts(platformGatewaysTexts), useTexts(common)]
  return [
    { key: 'title', header: t('gateway'), sort: 'title', render: ({ title }) => title },
    {
      key: 'workspace',
      header: t('workspace'),
      render: ({ workspace_id }) => <WorkspaceLink id={workspace_id} />,
    },
    { key: 'addresses', header: t('addresses'), render: (gateway) => <Addresses gateway={gateway} /> },
    {
      key: 'state',
      header: t('state'),
      render: ({ state, is_approved }) =>
        state === 'pending_approval' ? (
          <Stack gap={2} align="flex-start" maw={320}>
            <StateBadge tone="warn">{t('pending_approval')}</StateBadge>
            <Text size="xs" c="dimmed">
              {t('pendingHint')}
            </Text>
          </Stack>
        ) : (
          <StateBadge tone="good">{t(is_approved ? 'approved' : 'notApproved')}</StateBadge>
        ),
    },
    {
      key: 'created',
      header: words('created'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
}
