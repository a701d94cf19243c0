import { type Board, agentMatches, callMatches, figuresByTeam, placesIn, waitingIn } from './board'
import { shownStateOf } from '../presence/shown-state'
import type { BoardSearch, BoardView } from './board-search'

/** Rows of a view. */
export function rowsOf(
  view: BoardView,
  board: Board,
  shown: Board,
  text: string,
  state: BoardSearch['state'],
) {
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
        (agent) => (state === undefined || shownStateOf(agent) === state) && agentMatches(agent, text),
      )
      const byId = new Map(board.calls.map((call) => [call.call_id, call]))
      return { view, size: agents.length, agents, byId } as const
    }
  }
}
