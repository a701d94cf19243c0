import { type ListSearch, listSearchOf } from '../../api/lists'

/** A team's calls, or the agent's own by default. */
export type HistorySearch = Pick<ListSearch, 'page' | 'limit'> & { team?: string }

export function historySearchOf(search: Record<string, unknown>): HistorySearch {
  const { page, limit } = listSearchOf(search)
  const team = search['team']
  return { ...(page && { page }), ...(limit && { limit }), ...(typeof team === 'string' && team && { team }) }
}
