import { Anchor, Select } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { IconHistory } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useBulkDelete } from '../../../design/bulk-delete'
import { CsvExport } from '../../../design/csv-tools'
import { type Column, DataTable } from '../../../design/data-table'
import { DayRangeFields } from '../../../design/day-range'
import { EmptyState, Page } from '../../../design/page'
import { Picker } from '../../../design/picker'
import { moneyOf } from '../../../design/values'
import { directionWords } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { useLiveEvents, usePolling } from '../../../live/live'
import { teamChoices } from '../../teams/queries'
import { useCallColumns } from '../components/call-columns'
import {
  type CallRecord,
  type CallsSearch,
  agentChoices,
  callFilterOf,
  callListsKey,
  callsQuery,
  directions,
  outcomeFilters,
} from '../workspace-calls'
import { callsTexts, callWords } from '../texts'

/** Shortest time between two refetches of the list, for busy workspaces. */
const refreshedEveryMs = 5_000

export function CallsPage() {
  const t = useTexts(callsTexts)
  const search = useSearch({ from: '/shell/admin/calls' })
  const navigate = useNavigate({ from: '/calls' })
  const query = useQuery({ ...callsQuery(search), refetchInterval: usePolling() })
  const client = useQueryClient()
  const refresh = useThrottledCallback(
    () => void client.invalidateQueries({ queryKey: callListsKey }),
    refreshedEveryMs,
  )
  // Refetch once the stream is open: earlier events were missed.
  useLiveEvents(['live.calls', 'stream.opened'], refresh)
  const bulk = useBulkDelete<CallRecord>({
    ...{ path: '/calls', idOf: ({ call_id }) => call_id },
    consequence: t('deleteAllConsequence'),
  })
  const change = (next: { [Field in keyof CallsSearch]: CallsSearch[Field] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...next }) })
  return (
    <Page title={t('heading')} description={t('description')}>
      <DataTable
        label={t('heading')}
        query={query}
        columns={useColumns()}
        rowKey={({ call_id }) => call_id}
        bulk={bulk}
        nameOf={({ from, to }) => t('titleOf', { from, to })}
        search={search}
        onSearch={change}
        searchLabel={t('search')}
        filters={<Filters search={search} onChange={(next) => change({ ...next, page: undefined })} />}
        isFiltered={Object.keys(callFilterOf(search)).length > 0}
        tools={<CsvExport path="/calls" filters={callFilterOf(search)} />}
        empty={
          <EmptyState icon={IconHistory} title={t('emptyTitle')}>
            {t('emptyHint')}
          </EmptyState>
        }
      />
    </Page>
  )
}

function useColumns(): Column<CallRecord>[] {
  const t = useTexts(callsTexts)
  const { began, direction, from, to, team, handledBy, outcome, wait, talk } = useCallColumns<CallRecord>(
    ({ call_id: id }, children) => (
      <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/calls/$id" params={{ id }} />}>
        {children}
      </Anchor>
    ),
  )
  return [
    { ...began, sort: 'created_at' },
    ...[direction, from, to, team, handledBy, outcome],
    { ...wait, sort: 'wait_seconds' },
    { ...talk, sort: 'talk_seconds' },
    { key: 'cost', header: t('cost'), sort: 'cost', align: 'right', render: ({ cost }) => moneyOf(cost) },
  ]
}

/** Among the outcomes: a live call has none yet. */
const live = 'live'

type Change = { [Field in keyof CallsSearch]: CallsSearch[Field] | undefined }

function Filters({ search, onChange }: { search: CallsSearch; onChange: (change: Change) => void }) {
  const t = useTexts(callsTexts)
  const words = useTexts(callWords)
  const ways = useTexts(directionWords)
  return (
    <>
      <Select
        label={t('outcome')}
        placeholder={t('all')}
        clearable
        clearButtonProps={{ 'aria-label': t('all') }}
        data={[
          { value: live, label: t('live') },
          ...outcomeFilters.map((value) => ({ value, label: words(`outcome_${value}`) })),
        ]}
        value={search.status === live ? live : (search.outcome ?? null)}
        onChange={(chosen) =>
          onChange({
            status: chosen === live ? live : undefined,
            outcome: chosen === live || chosen === null ? undefined : chosen,
          })
        }
        w={170}
      />
      <Select
        label={t('direction')}
        placeholder={t('all')}
        clearable
        clearButtonProps={{ 'aria-label': t('all') }}
        data={directions.map((value) => ({ value, label: ways(value) }))}
        value={search.direction ?? null}
        onChange={(direction) =>
          onChange({ direction: (direction as CallsSearch['direction']) ?? undefined })
        }
        w={130}
      />
      <Picker
        label={t('team')}
        placeholder={t('all')}
        clearable
        source={teamChoices}
        value={search.team ?? null}
        onChange={(team) => onChange({ team: team ?? undefined })}
        w={140}
      />
      <Picker
        label={t('agent')}
        placeholder={t('all')}
        clearable
        source={agentChoices}
        value={search.agent ?? null}
        onChange={(agent) => onChange({ agent: agent ?? undefined })}
        w={140}
      />
      <DayRangeFields value={search} onChange={onChange} />
    </>
  )
}
