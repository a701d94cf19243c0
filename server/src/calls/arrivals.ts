/** Calls that come in from the edge, each to whom it is for by where it comes from. */
import type { Logger } from 'pino'
import { newId } from '../database/ids.js'
import type { Edges } from '../edge/edges.js'
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
  edges: Pick<Edges, 'hosts' | 'hasGivenUp'>
  /** Whether no call may begin: the edge may not know it yet. */
  isDraining: () => boolean
  log: Logger
}

/** How often the same is logged. */
const logMs = 60_000

export class Arrivals {
  /** What is being taken now: the call by its channel. Neither has a row or a session yet that others could find. */
  private readonly taking = new Map<string, string>()
  private loggedAt = -Infinity

  /** @param takers by the header `X-Edge-Source`, which the edge alone can set */
  constructor(
    private readonly options: Options,
    private readonly takers: Readonly<Record<'account' | 'trunk', Taker>>,
  ) {}

  /** Never throws. */
  async take(arrival: Arrival): Promise<void> {
    const { switchboard, edges, isDraining, log } = this.options
    const begun = performance.now()
    const source = edges.hosts.includes(arrival.source) ? arrival.header('X-Edge-Source') : undefined
    if (source === 'account' || source === 'trunk') {
      const callId = newId('call')
      this.taking.set(arrival.channelId, callId)
      const isGivenUp = await this.isGivenUp(arrival)
      if (isGivenUp || isDraining()) await switchboard.turnAway(arrival.channelId).catch(() => undefined)
      else await works.call.run({ callId }, async () => this.takers[source].take(arrival, callId))
      this.taking.delete(arrival.channelId)
      topics.arrival.tell({ source: isGivenUp ? 'late' : source, callId, seconds: secondsSince(begun) })
      return
    }
    log.warn({ source: arrival.source }, 'a call that the edge did not let in is refused')
    await switchboard.kill(arrival.channelId, 'INCOMING_CALL_BARRED').catch(() => undefined)
    topics.arrival.tell({ source: 'stranger', callId: null, seconds: secondsSince(begun) })
  }

  /**
   * Whether nobody waits for it any more: the switch was so slow to take it up, as when it stood still, that the edge has
   * refused the caller, or tried another switch.
   */
  private async isGivenUp(arrival: Arrival): Promise<boolean> {
    const { edges, log } = this.options
    const sent = arrival.header('X-Edge-Sent')
    if (!sent || !arrival.takenAt) return false
    try {
      if (!(await edges.hasGivenUp(arrival.source, sent, arrival.takenAt))) return false
    } catch (error) {
      // It is wanted, as far as we know.
      log.warn({ err: error }, 'an edge was not heard on a call that the switch took up late')
      return false
    }
    if (performance.now() - this.loggedAt >= logMs) {
      this.loggedAt = performance.now()
      log.error('the switch takes calls up so late that the edge has given them up: they are turned away')
    }
    return true
  }

  isTakingChannel(id: string): boolean {
    return this.taking.has(id)
  }

  isTakingCall(id: string): boolean {
    return [...this.taking.values()].includes(id)
  }
}
