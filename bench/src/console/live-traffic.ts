/** Calls that go on, at the sandbox's lines: each leaves a long message. Some end each second, and as many begin. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestWorkspace } from '../../../server/dist/test/support/appliance.js'

/** Requests at once while the first calls are made. */
const atOnce = 8

/** Answers and stays. */
const number = '+12025550100'

/** The workspace's own, which has a gateway. */
const own = '+12025550199'

export class LiveTraffic {
  private readonly calls: string[] = []
  private readonly ending = new AbortController()
  private churning: Promise<void> | undefined

  private constructor(private readonly workspace: TestWorkspace) {}

  /** Makes calls until so many go on. */
  static async start(workspace: TestWorkspace, count: number): Promise<LiveTraffic> {
    const traffic = new LiveTraffic(workspace)
    const hands = Array.from({ length: atOnce }, async (_, hand) => {
      for (let call = hand; call < count; call += atOnce) await traffic.make()
    })
    await Promise.all(hands)
    return traffic
  }

  /** @param perSecond calls that end, and begin, each second */
  churn(perSecond: number): void {
    const { signal } = this.ending
    this.churning = (async () => {
      while (!signal.aborted) {
        const id = this.calls.shift()
        if (id) await this.workspace.api.post(`/calls/${id}/hangup`, {})
        await this.make()
        await sleep(1_000 / perSecond, undefined, { signal }).catch(() => undefined)
      }
    })()
  }

  async stop(): Promise<void> {
    this.ending.abort()
    await this.churning
  }

  private async make(): Promise<void> {
    const made = await this.workspace.api.post('/calls/make', {
      from: { number: own },
      to: { number },
      actions: [{ action: 'voicemail', params: { max_duration: 3600 } }],
    })
    if (made.status !== 201) throw new Error(`no call: ${JSON.stringify(made.body)}`)
    this.calls.push((made.body as { data: { call_id: string } }).data.call_id)
  }
}
