/**
 * Limits the calls that a workspace starts per second. Several servers count together in Redis, second by second. A
 * single server, or one without Redis, counts alone: a token bucket per workspace, which holds one second's worth and
 * refills evenly.
 */
import type { SharedCounters } from '../../../infrastructure/http/shared-counters.js'

/** Workspaces in memory; at the limit all start with full buckets again. */
const maxBuckets = 10_000

export class CallsPerSecond {
  private readonly buckets = new Map<string, { tokens: number; at: number }>()

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly shared: SharedCounters | null = null,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Counts a new call.
   * @returns false if it exceeds the limit
   */
  async take(workspaceId: string, perSecond: number): Promise<boolean> {
    const counted = await this.shared?.add(`calls-per-second:${workspaceId}`, 1_000)
    return counted ? counted.count <= perSecond : this.takeHere(workspaceId, perSecond)
  }

  private takeHere(workspaceId: string, perSecond: number): boolean {
    const now = this.now()
    const bucket = this.buckets.get(workspaceId) ?? { tokens: perSecond, at: now }
    const tokens = Math.min(perSecond, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    const taken = tokens >= 1
    if (!this.buckets.has(workspaceId) && this.buckets.size >= maxBuckets) this.buckets.clear()
    this.buckets.set(workspaceId, { tokens: taken ? tokens - 1 : tokens, at: now })
    return taken
  }
}
