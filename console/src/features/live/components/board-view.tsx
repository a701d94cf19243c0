/** One tab of the board. */
import { IconActivity, IconSearch } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import { usePeople } from '../../../app/people'
import { useMe } from '../../../api/me'
import { EmptyState } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import type { Board } from '../board'
import { rowsOf } from '../board-rows'
import type { BoardSearch, BoardView as ViewName } from '../board-search'
import { liveTexts } from '../texts'
import { AgentsTable } from './agents-table'
import { CallsTable } from './calls-table'
import { detailsFor } from './details-link'
import { NoTeams } from './no-teams'
import { TeamsTable } from './teams-table'
import { WaitingTable } from './waiting-table'

interface BoardViewProps {
  view: ViewName
  board: Board
  /** Part of the board that belongs to the selected team. */
  shown: Board
  search: BoardSearch
}

export function BoardView({ view, board, shown, search: { search: text = '', state } }: BoardViewProps) {
  const t = useTexts(liveTexts)
  const details = detailsFor(usePeople())
  const names = useMemo(() => new Map(board.teams.map(({ id, title }) => [id, title])), [board.teams])
  const teamName = useCallback((id: string) => names.get(id) ?? '', [names])
  const ownTeams = useOwnTeams(board)
  const rows = useMemo(() => rowsOf(view, board, shown, text, state), [view, board, shown, text, state])
  if (rows.size === 0) {
    const isNarrowed = text !== '' || state !== undefined
    if (isNarrowed) return <EmptyState icon={IconSearch} title={t('nothingMatches')} />
    if (view === 'teams') return <NoTeams />
    const [title, hint] = (
      {
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

const none: ReadonlySet<string> = new Set()

/** Teams where the user is leader or supervisor; none for others, who may set no states. */
function useOwnTeams({ agents }: Board): ReadonlySet<string> {
  const me = useMe()
  return useMemo(() => {
    const own = me && me.role !== 'member' ? agents.find(({ agent_id }) => agent_id === me.id) : undefined
    return own ? new Set(own.team_ids) : none
  }, [agents, me])
}
