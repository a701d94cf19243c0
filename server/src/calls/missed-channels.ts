/** Calls whose channels the switch has no more, and of whose ends nobody was told. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../switch/channel.js'
import type { EndedChannels } from '../switch/ended-channels.js'
import type { LiveCall } from './live-call.js'

export interface Missed {
  readonly session: LiveCall
  readonly channel: Channel
}

/** The event of a channel's end comes within this after the switch has forgotten the channel. */
const eventDelayMs = 1_000

/**
 * But not before the journal has its line, and a full disk keeps the switch from that for seconds with each. After so
 * long without either it was lost.
 */
const unheardMs = 120_000

export class MissedChannels {
  /** When they were missed first. */
  private readonly missedAt = new WeakMap<Channel, Date>()

  constructor(
    private readonly journal: EndedChannels,
    /** Whether calls are driven: while the link to the switch is lost nobody knows what has become of them. */
    private readonly isReady: () => boolean,
  ) {}

  /** Ends the calls of those whose end is known, or was waited for long enough. The journal is read once for all of them. */
  async lose(missed: readonly Missed[]): Promise<void> {
    // They may have ended while the switch was asked, with their events still on the way.
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
