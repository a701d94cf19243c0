/** Keeps the page of a call up to date, until nothing more can come of it. */
import type { components } from '@jackfield/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'

/** What goes on is asked for so often. */
export const askedEveryMs = 5_000

/** What was said last may be written down a moment after the end. */
const afterEndMs = 2_000

const unstored: ReadonlySet<components['schemas']['Recording']['status']> = new Set([
  ...(['recording', 'paused', 'processing'] as const),
])

interface Recorded {
  readonly status: components['schemas']['Recording']['status']
}

/** Whether a call goes on, or something of it is still being stored. */
export function isMoving(
  call: { readonly ended_at: string | null } | undefined,
  recordings: readonly Recorded[] | undefined,
): boolean {
  if (call?.ended_at === null) return true
  return recordings?.some(({ status }) => unstored.has(status)) ?? false
}

/** Has everything of a call asked for once more when it has come to rest. @returns how often its parts are asked for */
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
