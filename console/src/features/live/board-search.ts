import { wordOf } from '../../api/lists'
import { type ShownState, shownStates } from '../presence/shown-state'

export const boardViews = ['teams', 'calls', 'waiting', 'agents'] as const
export type BoardView = (typeof boardViews)[number]

/** Filters of the board, kept in the URL. */
export interface BoardSearch {
  show?: BoardView
  team?: string
  search?: string
  state?: ShownState
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export function boardSearchOf(search: Record<string, unknown>): BoardSearch {
  const show = wordOf(search['show'], boardViews)
  const state = wordOf(search['state'], shownStates)
  const [team, text] = [textOf(search['team']), textOf(search['search'])]
  return {
    ...(show && { show }),
    ...(state && { state }),
    ...(team && { team }),
    ...(text && { search: text }),
  }
}
