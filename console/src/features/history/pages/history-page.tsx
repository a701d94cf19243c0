import { Anchor, Select } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { usePeople } from '../../../app/people'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { Duration, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { useLiveInvalidation } from '../../../live/live'
import { CallStatusBadge, Direction } from '../../calls/components/call-status'
import { Party } from '../../calls/components/party'
import { ownTeamsQuery } from '../../presence/queries'
import { type HistoryCall, historyKey, historyQuery } from '../queries'
import { historyTexts } from '../texts'

/** Select value for one's own calls: no team has this id. */
const mine = ''

export function HistoryPage() {
  const t = useTexts(historyTexts)
  const search = useSearch({ from: '/shell/agent/history' })
  const navigate = useNavigate({ from: '/history' })
  const isSupervisor = usePeople().has('supervisor')
  const query = useQuery(historyQuery(search))
  const teams = useQuery({ ...ownTeamsQuery, enabled: isSupervisor })
  useLiveInvalidation(['call.ended'], [...historyKey, 'calls'])
  const columns: Column<HistoryCall>[] = [
    {
      key: 'created',
      header: t('created'),
      render: ({ call_id, created_at }) => (
        <Anchor
          renderRoot={(props) => <Link {...props} to="/history/$callId" params={{ callId: call_id }} />}
        >
          <Time at={created_at} />
        </Anchor>
      ),
    },
    {
      key: 'direction',
      header: t('direction'),
      render: ({ direction }) => <Direction direction={direction} />,
    },
    {
      key: 'from',
      header: t('from'),
      render: ({ from, from_name }) => <Party number={from} name={from_name} />,
    },
    { key: 'to', header: t('to'), render: ({ to, to_name }) => <Party number={to} name={to_name} /> },
    { key: 'agent', header: t('agent'), render: ({ agent }) => agent?.display_name ?? '–' },
    { key: 'status', header: t('status'), render: ({ status }) => <CallStatusBadge status={status} /> },
    {
      key: 'duration',
      header: t('duration'),
      align: 'right',
      render: ({ duration }) => <Duration seconds={duration} />,
    },
  ]
  const whose = isSupervisor && (
    <Select
      label={t('team')}
      data={[
        { value: mine, label: t('mine') },
        ...(teams.data?.data ?? []).map(({ id, title }) => ({ value: id, label: title })),
      ]}
      value={search.team ?? mine}
      allowDeselect={false}
      searchable
      onChange={(team) =>
        void navigate({ search: ({ limit }) => ({ ...(limit && { limit }), ...(team && { team }) }) })
      }
    />
  )
  return (
    <Page title={t('heading')} description={t('description')}>
      <DataTable
        label={t('heading')}
        query={query}
        columns={columns}
        rowKey={({ call_id }) => call_id}
        search={search}
        onSearch={({ page, limit }) =>
          void navigate({
            search: ({ team, ...before }) => {
              const next = { ...before, ...(limit && { limit }), page }
              return {
                ...(next.limit && { limit: next.limit }),
                ...(next.page && { page: next.page }),
                ...(team && { team }),
              }
            },
          })
        }
        filters={whose || undefined}
        isChosen={isSupervisor}
        empty={
          <EmptyState icon={IconHistory} title={t('emptyTitle')}>
            {t('emptyHint')}
          </EmptyState>
        }
      />
    </Page>
  )
}
