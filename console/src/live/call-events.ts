/** What happens in one call: told to agents by a stream of its own (docs/integrate/apps.md), asked for where nothing is streamed. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { accessToken } from '../session/access-token'
import { useSession } from '../session/session'

interface CallInvalidation {
  callId: string
  /** Nothing is listened to, or asked for, before and after it. */
  isLive: boolean
  /** Events that make the answer old. */
  events: readonly string[]
  queryKey: QueryKey
  /** How often a session by key asks, to which nothing is streamed. */
  everyMs: number
}

/** Has a query of a call asked anew when something happens in it. @returns what the query is asked for by itself */
export function useCallInvalidation({
  callId,
  isLive,
  events,
  queryKey,
  everyMs,
}: CallInvalidation): number | false {
  const isAgent = useSession()?.kind === 'agent'
  const client = useQueryClient()
  const [isStreamed, setStreamed] = useState(false)
  const names = events.join()
  const invalidate = useEffectEvent(() => void client.invalidateQueries({ queryKey }))
  useEffect(() => {
    if (!isAgent || !isLive) return
    let source: EventSource | undefined
    let isOver = false
    const open = async () => {
      const query = new URLSearchParams({ call_id: callId, token: await accessToken() })
      if (isOver) return
      source = new EventSource(`/api/v1/stream?${query.toString()}`)
      // What came before the stream was there, or while it was cut, was not told.
      for (const name of ['stream.opened', 'stream.reset', ...names.split(',')]) {
        source.addEventListener(name, () => invalidate())
      }
      source.addEventListener('stream.opened', () => setStreamed(true))
      source.onerror = () => setStreamed(false)
    }
    open().catch(() => undefined)
    return () => {
      isOver = true
      source?.close()
      setStreamed(false)
    }
  }, [callId, isAgent, isLive, names])
  return isLive && !isStreamed ? everyMs : false
}
