/** The event stream for pages: it lives as long as an agent is signed in. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import {
  type ReactNode,
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { askAnew } from '../api/query-client'
import { usePerson, useSession } from '../session/session'
import { type LiveEvent, type LiveEventName, type LiveState, LiveStream } from './live-stream'

const LiveContext = createContext<LiveStream | null>(null)

export function LiveProvider({ children }: { children: ReactNode }) {
  const isAgent = useSession()?.kind === 'agent'
  const person = usePerson()
  const [stream, setStream] = useState<LiveStream | null>(null)
  useEffect(() => {
    if (!isAgent || person === null) return
    const opened = new LiveStream(person)
    setStream(opened)
    opened.on('stream.reset', askAnew)
    return () => {
      opened.end()
      setStream(null)
    }
  }, [isAgent, person])
  return <LiveContext value={stream}>{children}</LiveContext>
}

/** Calls back for each event of these names. API key sessions have no stream: their pages poll. */
export function useLiveEvents(names: readonly LiveEventName[], listener: (event: LiveEvent) => void): void {
  const stream = useContext(LiveContext)
  const onEvent = useEffectEvent(listener)
  const list = names.join()
  useEffect(() => {
    if (!stream) return
    const stops = list.split(',').map((name) => stream.on(name as LiveEventName, (event) => onEvent(event)))
    return () => stops.forEach((stop) => stop())
  }, [stream, list])
}

/** Invalidates queries when one of these events arrives, or may have been missed. */
export function useLiveInvalidation(names: readonly LiveEventName[], ...keys: QueryKey[]): void {
  const client = useQueryClient()
  const invalidate = () => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey })
  }
  useLiveEvents(names, invalidate)
  useCatchingUp(...keys)
}

/** Invalidates queries that events keep up to date, when events may have been missed. */
export function useCatchingUp(...keys: QueryKey[]): void {
  const client = useQueryClient()
  useLiveEvents(['stream.opened'], ({ resumed }) => {
    if (resumed === true) return
    for (const queryKey of keys) void client.invalidateQueries({ queryKey })
  })
}

/** Null without an event stream. */
export function useLiveState(): LiveState | null {
  const stream = useContext(LiveContext)
  return useSyncExternalStore(
    (changed) => stream?.onState(changed) ?? (() => undefined),
    () => stream?.state ?? null,
  )
}

/** Polling interval for API key sessions, in milliseconds; false for agents, who have the event stream. */
export function usePolling(): number | false {
  return useSession()?.kind === 'agent' ? false : 10_000
}
