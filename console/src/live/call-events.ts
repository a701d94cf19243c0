/** Events of one call: agents get them from its event stream (docs/integrate/apps.md), other sessions poll. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { accessToken } from '../session/access-token'
import { useSession } from '../session/session'

interface CallInvalidation {
  callId: string
  /** Whether to subscribe or poll at all. */
  isLive: boolean
  /** Events that make the query stale. */
  events: readonly string[]
  queryKey: QueryKey
  /** Polling interval for API key sessions, which have no event stream. */
  everyMs: number
}

/** Invalidates a call's query when one of its events arrives. @returns the query's polling interval */
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
      // Events before the stream opened, or during an interruption, were missed.
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
