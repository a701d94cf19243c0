/**
 * Rate limits: a fixed window of one minute, counted per tier and identity (contract, section
 * Limits). Counters live in this process; they are shared through Redis once there are several.
 */
import type { RateTier } from './endpoint.js'
import { RateLimitError } from './errors.js'

const windowMs = 60_000

/** Identities counted in one window; further ones share a counter, so that memory stays bounded. */
const maxIdentities = 100_000

/** What is left to an identity in the running window. */
export interface RateState {
  limit: number
  remaining: number
}

export class RateLimits {
  private window = 0
  private counters = new Map<string, number>()

  constructor(
    private readonly limits: Readonly<Record<RateTier, number>>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Counts one request.
   * @throws {RateLimitError} when the identity has used up its window
   */
  count(tier: RateTier, identity: string): RateState {
    const now = this.now()
    const window = Math.floor(now / windowMs)
    if (window !== this.window) {
      this.window = window
      this.counters = new Map()
    }
    const limit = this.limits[tier]
    const key = this.keyOf(`${tier}:${identity}`)
    const used = (this.counters.get(key) ?? 0) + 1
    if (used > limit) {
      throw new RateLimitError(limit, Math.max(1, Math.ceil(((window + 1) * windowMs - now) / 1000)))
    }
    this.counters.set(key, used)
    return { limit, remaining: limit - used }
  }

  private keyOf(key: string): string {
    return this.counters.has(key) || this.counters.size < maxIdentities ? key : 'overflow'
  }
}
