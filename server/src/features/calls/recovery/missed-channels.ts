/** Calls whose channels no longer exist in the switch, but whose hangup events never came. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { EndedChannels } from '../../../adapters/freeswitch/ended-channels.js'
import type { LiveCall } from '../session/live-call.js'

export interface Missed {
  readonly session: LiveCall
  readonly channel: Channel
}

/** The hangup event arrives within this time after the switch has dropped the channel. */
const eventDelayMs = 1_000

/**
 * The event waits for the journal line, and a full disk delays that by seconds per channel. Without either after this
 * long, the event was lost.
 */
const unheardMs = 120_000

export class MissedChannels {
  /** When each channel was first found missing. */
  private readonly missedAt = new WeakMap<Channel, Date>()

  constructor(
    private readonly journal: EndedChannels,
    /** True while calls are driven: without a connection to the switch their state is unknown. */
    private readonly isReady: () => boolean,
  ) {}

  /** Ends the calls whose end is known or overdue. Reads the journal once for all of them. */
  async lose(missed: readonly Missed[]): Promise<void> {
    // They may have ended during the query, with their events still on the way.
    await sleep(eventDelayMs)
    const journal = this.journal.of(missed.map(({ session }) => session.call.id))
    for (const { session, channel } of missed) {
      if (channel.end || !this.isReady()) continue
      const missedAt = this.missedAt.get(channel) ?? new Date()
      this.missedAt.set(channel, missedAt)
      const end = await journal.find(channel.id)
      if (end) session.lose(end)
      else if (Date.now() - missedAt.getTime() > unheardMs) {
        const { answeredAt } = channel
        session.lose({ hangupCause: 'CRASH', sipCode: null, answeredAt, endedAt: missedAt })
      }
    }
  }
}

export async function isMissed(channel: Channel): Promise<boolean> {
  return channel.state !== 'dialing' && !channel.end && !(await channel.exists())
}
