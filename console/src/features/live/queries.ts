import { dataOf } from '@jackfield/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import type { LiveEvent } from '../../live/live-stream'
import { noteServerTime } from './clock'
import { type Board, afterEvents } from './board'

export const boardKey = ['live-board'] as const

/** Recent events: one that arrived during the request may be newer than the response. */
const keptMs = 60_000
const mostKept = 2_000

const recent: { at: number; event: LiveEvent }[] = []

/** Records an event for a board that is being fetched. */
export function keepEvent(event: LiveEvent): void {
  const now = performance.now()
  recent.push({ at: now, event })
  const over = recent.findIndex(({ at }) => now - at < keptMs)
  recent.splice(0, Math.max(over, recent.length - mostKept))
}

/** @param isWhole the whole workspace, as for admins, instead of the user's teams */
export const boardQuery = (isWhole: boolean) =>
  queryOptions({
    queryKey: [...boardKey, isWhole],
    queryFn: async ({ signal }): Promise<Board> => {
      const asked = performance.now()
      const board = await dataOf(
        isWhole ? api.GET('/live', { signal }) : api.GET('/call-center/live', { signal }),
      )
      noteServerTime(board.timestamp)
      return afterEvents(
        board,
        recent.filter(({ at }) => at >= asked).map(({ event }) => event),
      )
    },
    // Events are not applied while the board is not on screen.
    staleTime: 0,
  })
