/**
 * How many calls of a workspace begin in a second. Of several servers all count together, second by second, in Redis;
 * a server that is alone, or does not reach it, counts by itself: a bucket of tokens for each workspace, which holds as
 * many as one second may have and fills evenly.
 */
import type { SharedCounters } from '../http/shared-counters.js'

/** Workspaces remembered; when there are more, all begin with full buckets again. */
const maxBuckets = 10_000

export class CallsPerSecond {
  private readonly buckets = new Map<string, { tokens: number; at: number }>()

  /** @param now milliseconds, of a clock that only goes forward */
  constructor(
    private readonly shared: SharedCounters | null = null,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts a call that is to begin. @returns false when it is one too many */
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
