/**
 * What keeps pages waiting: the rate limit, a failing server, or a slow answer. Pages ask again by themselves; the banner says
 * why nothing comes and when the next try is.
 */
import { ApiError } from '@jackfield/sdk'
import type { QueryCache } from '@tanstack/react-query'
import { isWorthRetrying } from './errors'
import { waits as announced } from './waits'

export interface Trouble {
  readonly kind: 'limited' | 'failed' | 'slow'
  /** Seconds until the retry; null while a response is awaited. */
  readonly seconds: number | null
}

/** The banner shows requests that take longer than this. */
const slowMs = 5_000
const maxRetries = 2
/** The rate limit's window and a moment more. */
const longestWaitMs = 62_000
/** Jitter: pages refused together do not retry at the same moment. */
const spreadMs = 1_500

const waits = new WeakMap<object, number>()
const failed = new WeakMap<object, { error: unknown; againAt: number }>()
const asked = new WeakMap<object, number>()

export function isLimited(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429
}

/** Whether a query is retried after so many failures. */
export function isRetried(failures: number, error: unknown): boolean {
  return failures < maxRetries && (isLimited(error) || isWorthRetrying(error))
}

/** Retry delay in milliseconds: what the server asks for, or exponential backoff. */
export function retryDelay(failures: number, error: unknown): number {
  if (!isLimited(error)) return Math.min(500 * 2 ** failures, 4_000)
  const known = waits.get(error)
  if (known !== undefined) return known
  const wait = Math.min((error.retryAfter ?? 60) * 1_000, longestWaitMs) + Math.random() * spreadMs
  waits.set(error, wait)
  return wait
}

/** Watches the pages' requests. */
export function watchTrouble(cache: QueryCache): void {
  cache.subscribe((event) => {
    if (event.type !== 'updated') return
    const query: object = event.query
    const { action } = event
    if (action.type === 'fetch') asked.set(query, Date.now())
    else if (action.type === 'failed') {
      const error: unknown = action.error
      failed.set(query, { error, againAt: Date.now() + retryDelay(action.failureCount - 1, error) })
      return
    } else if (action.type === 'continue') return
    failed.delete(query)
  })
}

/** What pages wait for right now; null if nothing. */
export function troubleOf(cache: QueryCache): Trouble | null {
  const now = Date.now()
  let slow = false
  let worst: Trouble | null = null
  for (const query of cache.findAll({ fetchStatus: 'fetching' })) {
    const failure = failed.get(query)
    if (!failure) {
      slow ||= now - (asked.get(query) ?? now) > slowMs
      continue
    }
    const left = Math.ceil((failure.againAt - now) / 1_000)
    const kind = isLimited(failure.error) ? 'limited' : 'failed'
    if (worst?.kind !== 'limited') worst = { kind, seconds: left > 0 ? left : null }
  }
  for (const { kind, againAt } of announced)
    if (worst?.kind !== 'limited') worst = { kind, seconds: Math.max(1, Math.ceil((againAt - now) / 1_000)) }
  return worst ?? (slow ? { kind: 'slow', seconds: null } : null)
}
