import { useThrottledCallback } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { usePeople } from '../../app/people'
import { useLiveEvents, usePolling } from '../../live/live'
import type { LiveEvent } from '../../live/live-stream'
import { type Board, afterEvents } from './board'
import { boardKey, boardQuery, keepEvent } from './queries'

/** Events are batched: a board of a thousand calls is rendered a few times a second, not for each event. */
const gatheringMs = 250

/** No event reports new, removed and changed agents and teams: poll for them. */
const refreshedEveryMs = 180_000

/** Shortest time between two refetches for agents that the board does not have. */
const strangersEveryMs = 10_000

/** The current board. */
export function useBoard() {
  const isWhole = usePeople().has('admin')
  const refetchInterval = usePolling() || refreshedEveryMs
  const client = useQueryClient()
  const waiting = useRef<LiveEvent[]>([])
  const timer = useRef<number | undefined>(undefined)
  const take = () => {
    timer.current = undefined
    const events = waiting.current.splice(0)
    client.setQueriesData<Board>({ queryKey: boardKey }, (board) => board && afterEvents(board, events))
  }
  const refresh = useThrottledCallback(
    () => void client.invalidateQueries({ queryKey: boardKey }),
    strangersEveryMs,
  )
  const strangers = useRef(new Set<unknown>())
  useLiveEvents(['workspace.agent.state'], ({ agent_id }) => {
    const board = client.getQueryData(boardQuery(isWhole).queryKey)
    if (!board || strangers.current.has(agent_id)) return
    if (board.agents.some((agent) => agent.agent_id === agent_id)) return
    // New agents, or agents of other teams: refetch once.
    strangers.current.add(agent_id)
    refresh()
  })
  useLiveEvents(['live.calls', 'workspace.agent.state'], (event) => {
    keepEvent(event)
    waiting.current.push(event)
    timer.current ??= window.setTimeout(take, gatheringMs)
  })
  useLiveEvents(['stream.opened'], ({ resumed }) => {
    // Refetch once the stream is open: earlier events were missed.
    if (!resumed) void client.invalidateQueries({ queryKey: boardKey })
  })
  useEffect(
    () => () => {
      window.clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return useQuery({ ...boardQuery(isWhole), refetchInterval })
}
