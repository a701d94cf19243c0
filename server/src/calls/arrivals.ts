/** Calls that come in from the edge, each to whom it is for by where it comes from. */
import type { Logger } from 'pino'
import { newId } from '../database/ids.js'
import type { Arrival } from '../switch/arrival.js'
import type { Switchboard } from '../switch/switchboard.js'
import { secondsSince, topics } from '../telemetry.js'
import { works } from '../works.js'

/** Who takes calls of one source. */
interface Taker {
  /** Makes a call of what arrived, or refuses it; never throws. */
  take(arrival: Arrival, callId: string): Promise<void>
}

interface Options {
  switchboard: Switchboard
  edgeHosts: readonly string[]
  /** Whether no call may begin: the edge may not know it yet. */
  isDraining: () => boolean
  log: Logger
}

export class Arrivals {
  /** What is being taken now: the call by its channel. Neither has a row or a session yet that others could find. */
  private readonly taking = new Map<string, string>()

  /** @param takers by the header `X-Edge-Source`, which the edge alone can set */
  constructor(
    private readonly options: Options,
    private readonly takers: Readonly<Record<'account' | 'trunk', Taker>>,
  ) {}

  /** Never throws. */
  async take(arrival: Arrival): Promise<void> {
    const { switchboard, edgeHosts, isDraining, log } = this.options
    const begun = performance.now()
    const source = edgeHosts.includes(arrival.source) ? arrival.header('X-Edge-Source') : undefined
    if (source === 'account' || source === 'trunk') {
      const callId = newId('call')
      if (isDraining()) {
        await switchboard.turnAway(arrival.channelId).catch(() => undefined)
      } else {
        this.taking.set(arrival.channelId, callId)
        await works.call.run({ callId }, async () => this.takers[source].take(arrival, callId))
        this.taking.delete(arrival.channelId)
      }
      topics.arrival.tell({ source, callId, seconds: secondsSince(begun) })
      return
    }
    log.warn({ source: arrival.source }, 'a call that the edge did not let in is refused')
    await switchboard.kill(arrival.channelId, 'INCOMING_CALL_BARRED').catch(() => undefined)
    topics.arrival.tell({ source: 'stranger', callId: null, seconds: secondsSince(begun) })
  }

  isTakingChannel(id: string): boolean {
    return this.taking.has(id)
  }

  isTakingCall(id: string): boolean {
    return [...this.taking.values()].includes(id)
  }
}
