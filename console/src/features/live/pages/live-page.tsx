import { ActionIcon, Alert, CloseButton, Group, Select, Stack, Tabs, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconActivity, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { usePeople } from '../../../app/people'
import { useMe } from '../../../api/me'
import { Answered, EmptyState, Page } from '../../../design/page'
import { countOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { useLiveState } from '../../../live/live'
import {
  type Board,
  agentMatches,
  agentStates,
  callMatches,
  figuresByTeam,
  figuresOf,
  ofTeam,
  placesIn,
  waitingIn,
} from '../board'
import { AgentsTable } from '../components/agents-table'
import { CallsTable } from '../components/calls-table'
import { detailsFor } from '../components/details-link'
import { FigureTiles } from '../components/figures'
import { TeamsTable } from '../components/teams-table'
import { WaitingTable } from '../components/waiting-table'
import { type BoardSearch, type BoardView, boardViews } from '../board-search'
import { liveTexts } from '../texts'
import { useBoard } from '../use-board'

export function LivePage() {
  const t = useTexts(liveTexts)
  const c = useTexts(common)
  const query = useBoard()
  const isLost = useLiveState() === 'lost'
  const refresh = (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={c('refresh')}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    >
      <IconRefresh size={18} />
    </ActionIcon>
  )
  return (
    <Page title={t('title')} description={t('description')} actions={refresh}>
      {isLost && (
        <Alert color="yellow" role="status">
          {t('lost')}
        </Alert>
      )}
      <Answered query={query}>{(board) => <Shown board={board} />}</Answered>
    </Page>
  )
}

function Shown({ board: latest }: { board: Board }) {
  const t = useTexts(liveTexts)
  const search = useSearch({ from: '/shell/watcher/live' })
  const navigate = useNavigate({ from: '/live' })
  // Drawn when there is time: typing and scrolling go first.
  const board = useDeferredValue(latest)
  const { show = 'teams', team } = search
  const shown = useMemo(() => ofTeam(board, team), [board, team])
  const figures = useMemo(() => figuresOf(shown), [shown])
  const change = (changes: { [Field in keyof BoardSearch]: BoardSearch[Field] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })
  if (board.teams.length === 0 && board.agents.length === 0 && board.calls.length === 0) {
    return (
      <EmptyState icon={IconActivity} title={t('noTeams')}>
        {t('noTeamsHint')}
      </EmptyState>
    )
  }
  const counts: Record<BoardView, number> = {
    teams: shown.teams.length,
    calls: figures.calls,
    waiting: figures.waiting,
    agents: shown.agents.length,
  }
  return (
    <Stack gap="md">
      {!board.is_complete && <Alert color="yellow">{t('incomplete')}</Alert>}
      <FigureTiles figures={figures} />
      <Group gap="sm" align="flex-end">
        <Select
          aria-label={t('team')}
          placeholder={t('allTeams')}
          clearable
          clearButtonProps={{ 'aria-label': t('allTeams') }}
          searchable
          limit={100}
          data={board.teams.map(({ id, title }) => ({ value: id, label: title }))}
          value={team ?? null}
          onChange={(value) => change({ team: value ?? undefined })}
          style={{ flex: '0 1 240px' }}
        />
        <SearchField value={search.search ?? ''} onChange={(text) => change({ search: text || undefined })} />
        {show === 'agents' && (
          <Select
            aria-label={t('allStates')}
            placeholder={t('allStates')}
            clearable
            clearButtonProps={{ 'aria-label': t('allStates') }}
            data={agentStates.map((state) => ({ value: state, label: t(state) }))}
            value={search.state ?? null}
            onChange={(value) => change({ state: agentStates.find((state) => state === value) })}
            style={{ flex: '0 1 180px' }}
          />
        )}
      </Group>
      <Tabs
        value={show}
        keepMounted={false}
        onChange={(value) => change({ show: boardViews.find((view) => view === value) })}
      >
        <Tabs.List>
          {boardViews.map((view) => (
            <Tabs.Tab key={view} value={view}>
              {`${t(view)} (${countOf(counts[view])})`}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {boardViews.map((view) => (
          <Tabs.Panel key={view} value={view} pt="sm">
            <View view={view} board={board} shown={shown} search={search} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}

function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = useTexts(liveTexts)
  const c = useTexts(common)
  const [text, setText] = useState(value)
  const send = useDebouncedCallback(onChange, 200)
  const change = (next: string) => {
    setText(next)
    send(next)
  }
  return (
    <TextInput
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      maxLength={100}
      leftSection={<IconSearch size={16} />}
      rightSection={text && <CloseButton size="sm" aria-label={c('clear')} onClick={() => change('')} />}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      style={{ flex: '1 1 200px', maxWidth: 360 }}
    />
  )
}

interface ViewProps {
  view: BoardView
  board: Board
  /** What of the board belongs to the chosen team. */
  shown: Board
  search: BoardSearch
}

function View({ view, board, shown, search: { search: text = '', state } }: ViewProps) {
  const t = useTexts(liveTexts)
  const details = detailsFor(usePeople())
  const names = useMemo(() => new Map(board.teams.map(({ id, title }) => [id, title])), [board.teams])
  const teamName = useCallback((id: string) => names.get(id) ?? '', [names])
  const ownTeams = useOwnTeams(board)
  const rows = useMemo(() => rowsOf(view, board, shown, text, state), [view, board, shown, text, state])
  if (rows.size === 0) {
    const isNarrowed = text !== '' || state !== undefined
    if (isNarrowed) return <EmptyState icon={IconSearch} title={t('nothingMatches')} />
    const [title, hint] = (
      {
        teams: ['noTeams', 'noTeamsHint'],
        calls: ['noCalls', 'noCallsHint'],
        waiting: ['nobodyWaits', 'nobodyWaitsHint'],
        agents: ['noAgents', 'agentsHint'],
      } as const
    )[view]
    return (
      <EmptyState icon={IconActivity} title={t(title)}>
        {t(hint)}
      </EmptyState>
    )
  }
  switch (rows.view) {
    case 'teams':
      return <TeamsTable teams={rows.teams} figures={rows.figures} />
    case 'calls':
      return <CallsTable agents={board.agents} calls={rows.calls} teamName={teamName} details={details} />
    case 'waiting':
      return <WaitingTable calls={rows.calls} places={rows.places} teamName={teamName} details={details} />
    case 'agents':
      return <AgentsTable agents={rows.agents} calls={rows.byId} teamName={teamName} ownTeams={ownTeams} />
  }
}

/** The rows of one view. */
function rowsOf(view: BoardView, board: Board, shown: Board, text: string, state: BoardSearch['state']) {
  switch (view) {
    case 'teams': {
      const word = text.trim().toLowerCase()
      const teams = shown.teams.filter(({ title }) => title.toLowerCase().includes(word))
      return { view, size: teams.length, teams, figures: figuresByTeam(shown) } as const
    }
    case 'calls': {
      const calls = shown.calls.filter((call) => call.waiting === null && callMatches(call, text))
      return { view, size: calls.length, calls } as const
    }
    case 'waiting': {
      const calls = waitingIn(shown).filter((call) => callMatches(call, text))
      return { view, size: calls.length, calls, places: placesIn(board) } as const
    }
    case 'agents': {
      const agents = shown.agents.filter(
        (agent) => (state === undefined || agent.state === state) && agentMatches(agent, text),
      )
      const byId = new Map(board.calls.map((call) => [call.call_id, call]))
      return { view, size: agents.length, agents, byId } as const
    }
  }
}

const none: ReadonlySet<string> = new Set()

/** The teams that a leader or supervisor is in; none for others, who choose no states. */
function useOwnTeams({ agents }: Board): ReadonlySet<string> {
  const me = useMe()
  return useMemo(() => {
    const own = me && me.role !== 'member' ? agents.find(({ agent_id }) => agent_id === me.id) : undefined
    return own ? new Set(own.team_ids) : none
  }, [agents, me])
}
