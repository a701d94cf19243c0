import { wordOf } from '../../api/lists'
import { agentStates } from './board'

export const boardViews = ['teams', 'calls', 'waiting', 'agents'] as const
export type BoardView = (typeof boardViews)[number]

/** Filters of the board, kept in the URL. */
export interface BoardSearch {
  show?: BoardView
  team?: string
  search?: string
  state?: (typeof agentStates)[number]
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export function boardSearchOf(search: Record<string, unknown>): BoardSearch {
  const show = wordOf(search['show'], boardViews)
  const state = wordOf(search['state'], agentStates)
  const [team, text] = [textOf(search['team']), textOf(search['search'])]
  return {
    ...(show && { show }),
    ...(state && { state }),
    ...(team && { team }),
    ...(text && { search: text }),
  }
}
