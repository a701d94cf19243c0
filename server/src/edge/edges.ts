/**
 * The SIP edges: our own, and those of other cells or of machines that do nothing else. They share what is registered
 * and who may call. What one of them is told of is told to all; calls go out through the first that answers.
 */
import type { EdgeClient } from './edge-client.js'

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
    return (this.living[0] ?? this.own).address
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

  /** As {@link EdgeClient.removeRegistrations}, at all of them. @throws {Error} when one has not done it */
  async removeRegistrations(username: string, domain: string): Promise<void> {
    await this.each(async (client) => client.removeRegistrations(username, domain))
  }

  /** As {@link EdgeClient.setDraining}. @throws as {@link removeRegistrations} */
  async setDraining(isDraining: boolean): Promise<void> {
    await this.each(async (client) => client.setDraining(isDraining))
  }

  /** As {@link EdgeClient.setDebug}. @throws as {@link removeRegistrations} */
  async setDebug(level: number): Promise<void> {
    await this.each(async (client) => client.setDebug(level))
  }

  /** As {@link EdgeClient.callEnded}, at all that live. @throws as {@link removeRegistrations} */
  async callEnded(sipCallId: string): Promise<void> {
    await this.each(async (client) => client.callEnded(sipCallId), this.living)
  }

  /** As {@link EdgeClient.hasGivenUp}, of the edge with a private address. @throws as that */
  async hasGivenUp(host: string, sent: string, takenAt: Date): Promise<boolean> {
    const edge = this.all.find(({ address }) => hostOf(address) === host)
    return edge !== undefined && edge.client.hasGivenUp(sent, takenAt)
  }

  private get all(): readonly Edge[] {
    return [this.own, ...this.others]
  }

  private get living(): readonly Edge[] {
    return this.all.filter((edge) => !this.silent.has(edge))
  }

  /** One that is down keeps none of the others from being told. */
  private async each(tell: (client: EdgeClient) => Promise<void>, edges = this.all): Promise<void> {
    const told = await Promise.allSettled(edges.map(async ({ client }) => tell(client)))
    const failed = told.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
  }
}

/** The host of `host:port`. */
function hostOf(address: string): string {
  return address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
}
