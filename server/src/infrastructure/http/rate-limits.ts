/**
 * Rate limits: a fixed window of one minute, counted per tier and identity (contract, section
 * Limits): in this process, or over all servers if there are several.
 */
import { createHash } from 'node:crypto'
import type { RateTier } from './endpoint.js'
import { RateLimitError } from './errors.js'
import type { SharedCounters } from './shared-counters.js'

const windowMs = 60_000

/** Identities counted in one window; further ones share the buckets of their hashes, so that memory stays bounded. */
const maxIdentities = 100_000
const overflowBuckets = 16_384

/** What is left to an identity in the running window. */
export interface RateState {
  limit: number
  remaining: number
}

export class RateLimits<Tier extends string = RateTier> {
  private window = 0
  private counters = new Map<string, number>()

  constructor(
    private readonly limits: Readonly<Record<Tier, number>>,
    private readonly now: () => number = Date.now,
    private readonly shared: SharedCounters | null = null,
  ) {}

  /**
   * Counts one request with those at other servers.
   * @param times how many times the tier's limit this identity has
   * @throws as {@link count}
   */
  async countEverywhere(tier: Tier, identity: string, times = 1): Promise<RateState> {
    const own = this.count(tier, identity, times)
    const total = await this.shared?.add(`rate:${this.window}:${tier}:${identity}`, windowMs)
    if (!total) return own
    const { limit } = own
    if (total.count > limit) throw this.refusal(limit)
    return { limit, remaining: Math.min(own.remaining, limit - total.count) }
  }

  /**
   * Counts one request in this process.
   * @throws {RateLimitError} when the identity has used up its window
   */
  count(tier: Tier, identity: string, times = 1): RateState {
    const now = this.now()
    const window = Math.floor(now / windowMs)
    if (window !== this.window) {
      this.window = window
      this.counters = new Map()
    }
    const limit = this.limits[tier] * times
    const key = this.keyOf(tier, identity)
    const used = (this.counters.get(key) ?? 0) + 1
    if (used > limit) {
      throw this.refusal(limit)
    }
    this.counters.set(key, used)
    return { limit, remaining: limit - used }
  }

  /** Whether an identity has anything left, which is not counted. @throws {RateLimitError} when not */
  check(tier: Tier, identity: string): void {
    if (Math.floor(this.now() / windowMs) !== this.window) return
    const limit = this.limits[tier]
    if ((this.counters.get(this.keyOf(tier, identity)) ?? 0) >= limit) throw this.refusal(limit)
  }

  private refusal(limit: number): RateLimitError {
    const leftMs = (this.window + 1) * windowMs - this.now()
    return new RateLimitError(limit, Math.max(1, Math.ceil(leftMs / 1000)))
  }

  private keyOf(tier: Tier, identity: string): string {
    const key = `${tier}:${identity}`
    if (this.counters.has(key) || this.counters.size < maxIdentities) return key
    const bucket = createHash('sha256').update(key).digest().readUInt32BE() % overflowBuckets
    return `overflow:${tier}:${bucket}`
  }
}
