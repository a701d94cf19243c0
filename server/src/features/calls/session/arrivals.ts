/** Incoming INVITEs from the SIP edge: passes each to the handler for its source. */
import type { Logger } from 'pino'
import { newId } from '../../../infrastructure/database/ids.js'
import type { Edges } from '../../../adapters/kamailio/edges.js'
import type { Arrival } from '../../../adapters/freeswitch/arrival.js'
import type { Switchboard } from '../../../adapters/freeswitch/switchboard.js'
import { secondsSince, topics } from '../../../infrastructure/observability/telemetry.js'
import { tracingContexts } from '../../../infrastructure/observability/tracing-contexts.js'
import { refusalCauses } from '../model/termination.js'

/** Handles the calls of one source. */
interface Taker {
  /** Makes a call of the INVITE, or refuses it; never throws. */
  take(arrival: Arrival, callId: string): Promise<void>
}

interface Options {
  switchboard: Switchboard
  edges: Pick<Edges, 'hosts' | 'hasGivenUp'>
  /** Whether no call may begin; the edge may not know that yet. */
  isDraining: () => boolean
  log: Logger
}

/** Pause before the same problem is logged again. */
const logMs = 60_000

export class Arrivals {
  /** Calls that are being created now, by channel. Neither call nor channel has a row or a session yet. */
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
      else await tracingContexts.call.run({ callId }, async () => this.takers[source].take(arrival, callId))
      this.taking.delete(arrival.channelId)
      topics.arrival.publish({ source: isGivenUp ? 'late' : source, callId, seconds: secondsSince(begun) })
      return
    }
    log.warn(
      { event: 'call.not_from_edge', source: arrival.source },
      'a call is refused that did not come through the SIP edge',
    )
    await switchboard.kill(arrival.channelId, refusalCauses.incomingBarred).catch(() => undefined)
    topics.arrival.publish({ source: 'stranger', callId: null, seconds: secondsSince(begun) })
  }

  /**
   * Whether the edge already gave up on this INVITE: it has refused the caller, or tried another switch, because this
   * switch was too slow.
   */
  private async isGivenUp(arrival: Arrival): Promise<boolean> {
    const { edges, log } = this.options
    const sent = arrival.header('X-Edge-Sent')
    if (!sent || !arrival.takenAt) return false
    try {
      if (!(await edges.hasGivenUp(arrival.source, sent, arrival.takenAt))) return false
    } catch (error) {
      // As far as we know the caller still waits.
      log.warn(
        { event: 'edge.late_call_unknown', err: error },
        'the SIP edge did not say whether a late call is still wanted',
      )
      return false
    }
    if (performance.now() - this.loggedAt >= logMs) {
      this.loggedAt = performance.now()
      log.error(
        { event: 'switch.too_late' },
        'the switch takes calls so late that the SIP edge has given them up: they are refused',
      )
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
