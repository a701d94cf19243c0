/** Calls that come in from the edge, each to whom it is for by where it comes from. */
import type { Logger } from 'pino'
import type { Arrival } from '../switch/arrival.js'
import type { Switchboard } from '../switch/switchboard.js'

/** Who takes calls of one source. */
interface Taker {
  /** Never throws. */
  take(arrival: Arrival): Promise<void>
}

interface Options {
  switchboard: Switchboard
  edgeAddress: string
  log: Logger
}

export class Arrivals {
  /** @param takers by the header `X-Edge-Source`, which the edge alone can set */
  constructor(
    private readonly options: Options,
    private readonly takers: Readonly<Record<'account' | 'trunk', Taker>>,
  ) {}

  /** Never throws. */
  async take(arrival: Arrival): Promise<void> {
    const { switchboard, edgeAddress, log } = this.options
    const source = arrival.source === edgeAddress ? arrival.header('X-Edge-Source') : undefined
    if (source === 'account' || source === 'trunk') return this.takers[source].take(arrival)
    log.warn({ source: arrival.source }, 'a call that the edge did not let in is refused')
    await switchboard.kill(arrival.channelId, 'INCOMING_CALL_BARRED').catch(() => undefined)
  }
}
