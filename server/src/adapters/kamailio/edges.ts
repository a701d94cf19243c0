/**
 * The SIP edges: our own, and those of other cells or of machines that run nothing else. They share registrations and
 * accounts. A notice goes to all of them; calls go out through the first one that answers.
 */
import { type EdgeClient, EdgeRefusedError } from './edge-client.js'

/** How often the edges are asked whether they live, where there are several. */
const everyMs = 2_000

export interface Edge {
  /** Of its private listener, `host:port`. */
  readonly address: string
  readonly client: EdgeClient
}

export class Edges {
  private readonly silent = new Set<Edge>()
  private timer: NodeJS.Timeout | undefined

  constructor(
    /** Our own, which calls go through as long as it answers. */
    private readonly own: Edge,
    /** The others, in the order in which they take its place. */
    private readonly others: readonly Edge[],
  ) {}

  get isConfigured(): boolean {
    return this.own.client.isConfigured
  }

  /** Through which a call goes out: `host:port`. */
  get proxy(): string {
    return this.current.address
  }

  /** Through which a call goes out. */
  get current(): Edge {
    return this.living[0] ?? this.own
  }

  /** Their private addresses. */
  get hosts(): readonly string[] {
    return this.all.map(({ address }) => hostOf(address))
  }

  get clients(): readonly EdgeClient[] {
    return this.all.map(({ client }) => client)
  }

  start(): void {
    if (this.others.length > 0) this.timer = setInterval(() => void this.look(), everyMs)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Asks all of them whether they live. */
  async look(): Promise<void> {
    await Promise.all(
      this.all.map(async (edge) => {
        if (await edge.client.isUp()) this.silent.delete(edge)
        else this.silent.add(edge)
      }),
    )
  }

  /**
   * Removes the registrations of one address after another, on all edges. It does not wait again for an edge that is known to
   * be silent, or has failed to answer once.
   * @returns as {@link EdgeClient.removeRegistrations}; throws {Error} when an edge has not done it
   */
  removal(): (username: string, domain: string) => Promise<void> {
    const silent = new Set(this.silent)
    return async (username, domain) =>
      this.each(async (client) => client.removeRegistrations(username, domain), silent)
  }

  /** As {@link EdgeClient.confirmDigests}, to those that answer. */
  async confirmDigests(): Promise<void> {
    if (!this.isConfigured) return
    await Promise.allSettled(this.all.map(async ({ client }) => client.confirmDigests()))
  }

  /** As {@link EdgeClient.setDraining}. @throws {Error} when an edge has not done it */
  async setDraining(isDraining: boolean): Promise<void> {
    await this.each(async (client) => client.setDraining(isDraining))
  }

  /** As {@link EdgeClient.setDebug}. @throws as {@link setDraining} */
  async setDebug(level: number): Promise<void> {
    await this.each(async (client) => client.setDebug(level))
  }

  /** As {@link EdgeClient.callEnded}, at all that live. @throws as {@link removeRegistrations} */
  async callEnded(sipCallId: string): Promise<void> {
    await this.each(async (client) => client.callEnded(sipCallId), new Set(), this.living)
  }

  /** As {@link EdgeClient.hasGivenUp}, of the edge with a private address. @throws as that */
  async hasGivenUp(host: string, sent: string, takenAt: Date): Promise<boolean> {
    const edge = this.all.find(({ address }) => hostOf(address) === host)
    return edge !== undefined && edge.client.hasGivenUp(sent, takenAt)
  }

  /** Our own first. */
  get all(): readonly Edge[] {
    return [this.own, ...this.others]
  }

  private get living(): readonly Edge[] {
    return this.all.filter((edge) => !this.silent.has(edge))
  }

  /** Calls all edges, whether or not one of them is down. @param silent edges that are left out; those that fail are added */
  private async each(
    send: (client: EdgeClient) => Promise<void>,
    silent = new Set<Edge>(),
    edges = this.all,
  ): Promise<void> {
    const results = await Promise.allSettled(
      edges.map(async (edge) => {
        if (silent.has(edge)) throw new Error(`the edge ${edge.address} does not answer`)
        await send(edge.client).catch((error: unknown) => {
          if (!(error instanceof EdgeRefusedError)) silent.add(edge)
          throw error
        })
      }),
    )
    const failed = results.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }
}

/** The host of `host:port`. */
function hostOf(address: string): string {
  return address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
}
