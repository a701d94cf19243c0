/** Which edges answer, and since when each of them runs: an edge that restarted has lost its connections to carriers. */
import type { Edge, Edges } from '../../adapters/kamailio/edges.js'

/** Rounds without an answer after which another edge takes over. */
const mostMisses = 2
/** Uptimes are the difference of two times in whole seconds. */
const roundingMs = 1_000
/** Clocks are set, too. */
const slackMs = 2_500

export class EdgeAnswers {
  private readonly started = new Map<string, Date>()
  private readonly misses = new Map<string, number>()

  constructor(private readonly edges: Pick<Edges, 'all'>) {}

  /** Those that may be asked, our own first. */
  get living(): readonly Edge[] {
    return this.edges.all.filter(({ address }) => (this.misses.get(address) ?? 0) < mostMisses)
  }

  /** Asks all. @returns edges that started again, with a moment when they had, and those that are gone, with null */
  async changed(): Promise<{ address: string; since: Date | null }[]> {
    const found = await Promise.all(
      this.edges.all.map(async ({ address, client }) => {
        const uptime = await client.status().then(
          ({ uptime_seconds }) => uptime_seconds,
          () => null,
        )
        return uptime === null ? this.missed(address) : this.answered(address, uptime)
      }),
    )
    return found.flatMap((one) => (one ? [one] : []))
  }

  private answered(address: string, uptimeSeconds: number): { address: string; since: Date } | null {
    this.misses.delete(address)
    const since = new Date(Date.now() - uptimeSeconds * 1_000)
    const before = this.started.get(address)
    if (before && Math.abs(since.getTime() - before.getTime()) < slackMs) return null
    this.started.set(address, since)
    return { address, since: new Date(since.getTime() + roundingMs) }
  }

  private missed(address: string): { address: string; since: null } | null {
    const misses = (this.misses.get(address) ?? 0) + 1
    this.misses.set(address, misses)
    return misses === mostMisses ? { address, since: null } : null
  }
}
