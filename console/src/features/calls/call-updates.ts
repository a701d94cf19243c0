/** Polls a call's page until nothing of the call can change any more. */
import type { components } from '@jackfield/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'

/** Polling interval while a call is live or a recording is being stored. */
export const askedEveryMs = 5_000

/** The last transcript line may be stored a moment after the call's end. */
const afterEndMs = 2_000

const unstored: ReadonlySet<components['schemas']['Recording']['status']> = new Set([
  ...(['recording', 'paused', 'processing'] as const),
])

interface Recorded {
  readonly status: components['schemas']['Recording']['status']
}

/** Whether the call is live, or one of its recordings is still being stored. */
export function isMoving(
  call: { readonly ended_at: string | null } | undefined,
  recordings: readonly Recorded[] | undefined,
): boolean {
  if (call?.ended_at === null) return true
  return recordings?.some(({ status }) => unstored.has(status)) ?? false
}

/** Refetches everything of a call once it no longer changes. @returns polling interval of its parts */
export function useCallUpdates(moves: boolean, queryKey: QueryKey): number | false {
  const client = useQueryClient()
  const hasMoved = useRef(false)
  const ask = useEffectEvent(() => void client.invalidateQueries({ queryKey }))
  useEffect(() => {
    if (moves) hasMoved.current = true
    if (moves || !hasMoved.current) return
    ask()
    const timer = setTimeout(() => ask(), afterEndMs)
    return () => clearTimeout(timer)
  }, [moves])
  return moves && askedEveryMs
}
