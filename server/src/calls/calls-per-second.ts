/**
 * How many calls of a workspace begin in a second: a bucket of tokens each, which holds as many as one second may have
 * and fills evenly. Kept by each server for itself.
 */

/** Workspaces remembered; when there are more, all begin with full buckets again. */
const maxBuckets = 10_000

export class CallsPerSecond {
  private readonly buckets = new Map<string, { tokens: number; at: number }>()

  /** @param now milliseconds, of a clock that only goes forward */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes a token. @returns false when there is none */
  take(workspaceId: string, perSecond: number): boolean {
    const now = this.now()
    const bucket = this.buckets.get(workspaceId) ?? { tokens: perSecond, at: now }
    const tokens = Math.min(perSecond, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    const taken = tokens >= 1
    if (!this.buckets.has(workspaceId) && this.buckets.size >= maxBuckets) this.buckets.clear()
    this.buckets.set(workspaceId, { tokens: taken ? tokens - 1 : tokens, at: now })
    return taken
  }
}
