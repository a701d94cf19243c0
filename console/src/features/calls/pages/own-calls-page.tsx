import { Anchor, Select } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePeople } from '../../../app/people'
import { type Column, DataTable } from '../../../design/data-table'
import { EmptyState, Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { useLiveInvalidation } from '../../../live/live'
import { ownTeamsQuery } from '../../presence/queries'
import { useCallColumns } from '../components/call-columns'
import { Side } from '../components/call-side'
import { Party } from '../../../design/party'
import {
  type OwnCall,
  type OwnCallsSearch,
  type TeamCall,
  callSides,
  historyKey,
  ownCallsQuery,
  teamCallsQuery,
} from '../own-calls'
import { callWords, callsTexts, ownCallsTexts } from '../texts'
import { outcomeFilters } from '../workspace-calls'

/** Select value for one's own calls: no team has this id. */
const mine = ''

type Change = { [Field in keyof OwnCallsSearch]: OwnCallsSearch[Field] | undefined }

export function OwnCallsPage() {
  const t = useTexts(ownCallsTexts)
  const { team } = useSearch({ from: '/shell/agent/history' })
  useLiveInvalidation(['call.ended'], [...historyKey, 'calls'])
  return (
    <Page title={t('heading')} description={t('description')}>
      {team === undefined ? <OwnCalls /> : <TeamCalls team={team} />}
    </Page>
  )
}

function OwnCalls() {
  const t = useTexts(ownCallsTexts)
  const calls = useTexts(callsTexts)
  const [search, change] = useHistorySearch()
  const { began, handledBy, outcome, wait, talk } = useCallColumns<OwnCall>(linkTo)
  const columns: Column<OwnCall>[] = [
    began,
    { key: 'side', header: t('side'), render: (call) => <Side call={call} /> },
    {
      key: 'far_party',
      header: t('far'),
      render: ({ far_party: { number, name } }) => <Party number={number} name={name} />,
    },
    ...[outcome, handledBy, wait, talk],
  ]
  return (
    <DataTable
      label={t('heading')}
      query={useQuery(ownCallsQuery(search))}
      columns={columns}
      rowKey={({ call_id }) => call_id}
      search={search}
      onSearch={change}
      searchLabel={calls('search')}
      filters={
        <>
          <Whose team={undefined} onChange={(team) => change({ team, page: undefined, side: undefined })} />
          <Select
            label={t('side')}
            placeholder={t('allSides')}
            clearable
            clearButtonProps={{ 'aria-label': t('allSides') }}
            data={callSides.map((value) => ({ value, label: t(`side_${value}`) }))}
            value={search.side ?? null}
            onChange={(side) => change({ side: side ?? undefined, page: undefined })}
            w={170}
          />
        </>
      }
      isFiltered={search.side !== undefined}
      isChosen
      empty={<NoCalls />}
    />
  )
}

function TeamCalls({ team }: { team: string }) {
  const t = useTexts(ownCallsTexts)
  const calls = useTexts(callsTexts)
  const words = useTexts(callWords)
  const [search, change] = useHistorySearch()
  return (
    <DataTable
      label={t('heading')}
      query={useQuery(teamCallsQuery(team, search))}
      columns={Object.values(useCallColumns<TeamCall>(linkTo))}
      rowKey={({ call_id }) => call_id}
      search={search}
      onSearch={change}
      searchLabel={calls('search')}
      filters={
        <>
          <Whose
            team={team}
            onChange={(next) => change({ team: next, page: undefined, outcome: undefined })}
          />
          <Select
            label={calls('outcome')}
            placeholder={calls('all')}
            clearable
            clearButtonProps={{ 'aria-label': calls('all') }}
            data={outcomeFilters.map((value) => ({ value, label: words(`outcome_${value}`) }))}
            value={search.outcome ?? null}
            onChange={(outcome) => change({ outcome: outcome ?? undefined, page: undefined })}
            w={170}
          />
        </>
      }
      isFiltered={search.outcome !== undefined}
      isChosen
      empty={<NoCalls />}
    />
  )
}

function useHistorySearch(): [OwnCallsSearch, (next: Change) => void] {
  const search = useSearch({ from: '/shell/agent/history' })
  const navigate = useNavigate({ from: '/history' })
  return [
    search,
    (next) =>
      void navigate({
        search: (before) => {
          const { page, limit, search: text, team, side, outcome } = { ...before, ...next }
          return {
            ...{ ...(page && { page }), ...(limit && { limit }), ...(text && { search: text }) },
            ...{ ...(team && { team }), ...(side && { side }), ...(outcome && { outcome }) },
          }
        },
      }),
  ]
}

function linkTo({ call_id: callId }: { call_id: string }, children: ReactNode): ReactNode {
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/history/$callId" params={{ callId }} />}>
      {children}
    </Anchor>
  )
}

/** Supervisors choose between their own calls and those of a team. */
function Whose({
  team,
  onChange,
}: {
  team: string | undefined
  onChange: (team: string | undefined) => void
}) {
  const t = useTexts(ownCallsTexts)
  const isSupervisor = usePeople().has('supervisor')
  const teams = useQuery({ ...ownTeamsQuery, enabled: isSupervisor })
  if (!isSupervisor) return null
  return (
    <Select
      label={t('team')}
      data={[
        { value: mine, label: t('mine') },
        ...(teams.data?.data ?? []).map(({ id, title }) => ({ value: id, label: title })),
      ]}
      value={team ?? mine}
      allowDeselect={false}
      searchable
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

function NoCalls() {
  const t = useTexts(ownCallsTexts)
  const calls = useTexts(callsTexts)
  return (
    <EmptyState icon={IconHistory} title={calls('emptyTitle')}>
      {t('emptyHint')}
    </EmptyState>
  )
}
