import { Anchor, Select } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { usePeople } from '../../../app/people'
import { DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { useLiveInvalidation } from '../../../live/live'
import { ownTeamsQuery } from '../../presence/queries'
import { useCallColumns } from '../components/call-columns'
import { type OwnCall, historyKey, ownCallsQuery } from '../own-calls'
import { callsTexts, ownCallsTexts } from '../texts'

/** Select value for one's own calls: no team has this id. */
const mine = ''

export function OwnCallsPage() {
  const t = useTexts(ownCallsTexts)
  const calls = useTexts(callsTexts)
  const search = useSearch({ from: '/shell/agent/history' })
  const navigate = useNavigate({ from: '/history' })
  const isSupervisor = usePeople().has('supervisor')
  const query = useQuery(ownCallsQuery(search))
  const teams = useQuery({ ...ownTeamsQuery, enabled: isSupervisor })
  useLiveInvalidation(['call.ended'], [...historyKey, 'calls'])
  const columns = useCallColumns<OwnCall>(({ call_id: callId }, children) => (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/history/$callId" params={{ callId }} />}>
      {children}
    </Anchor>
  ))
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
        columns={Object.values(columns)}
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
          <EmptyState icon={IconHistory} title={calls('emptyTitle')}>
            {t('emptyHint')}
          </EmptyState>
        }
      />
    </Page>
  )
}
