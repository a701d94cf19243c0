import { ActionIcon, Alert, Stack, Tabs } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { Answered, Page } from '../../../design/page'
import { countOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { useLiveState } from '../../../live/live'
import { type Board, figuresOf, ofTeam } from '../board'
import { type BoardView as ViewName, boardViews } from '../board-search'
import { type BoardChange, BoardFilters } from '../components/board-filters'
import { BoardView } from '../components/board-view'
import { FigureTiles } from '../components/figures'
import { NoTeams } from '../components/no-teams'
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
      <IconRefresh size="1.125rem" />
    </ActionIcon>
  )
  return (
    <Page title={t('heading')} description={t('description')} actions={refresh}>
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
  // Low priority: typing and scrolling go first.
  const board = useDeferredValue(latest)
  const { show = 'teams', team } = search
  const shown = useMemo(() => ofTeam(board, team), [board, team])
  const figures = useMemo(() => figuresOf(shown), [shown])
  const change = (changes: BoardChange) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })
  if (board.teams.length === 0 && board.agents.length === 0 && board.calls.length === 0) return <NoTeams />
  const counts: Record<ViewName, number> = {
    teams: shown.teams.length,
    calls: figures.calls,
    waiting: figures.waiting,
    agents: shown.agents.length,
  }
  return (
    <Stack gap="md">
      {!board.is_complete && <Alert color="yellow">{t('incomplete')}</Alert>}
      <FigureTiles figures={figures} />
      <BoardFilters search={search} teams={board.teams} onChange={change} />
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
            <BoardView view={view} board={board} shown={shown} search={search} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
