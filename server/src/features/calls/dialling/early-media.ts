/** Early media for a waiting caller: the ringback or announcement of the far network (SIP 183 with SDP; RFC 3960). */
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { type Ringback, ringbackTone } from './ringback.js'

export class EarlyMedia {
  private heard: { channel: Channel; joined: Promise<boolean> } | undefined

  constructor(
    private readonly caller: Channel,
    /** Plays to the caller while the far end sends nothing. */
    private readonly ringback: Ringback,
  ) {}

  /** Connects the caller with an unanswered channel until it answers or fails. */
  hear(channel: Channel): void {
    this.heard = { channel, joined: this.join(channel).catch(() => false) }
  }

  /** True if the caller is bridged with a channel that has been answered since. */
  async isJoinedWith(channel: Channel): Promise<boolean> {
    return this.heard?.channel === channel && (await this.heard.joined)
  }

  /** The far end has failed: clears its failure status on the caller. */
  async failed(): Promise<void> {
    if (this.heard && (await this.heard.joined)) await this.caller.forgetFailure()
  }

  private async join(channel: Channel): Promise<boolean> {
    // SDP alone is no media yet (RFC 3960 section 3.2): keep our ringback until RTP arrives.
    if (this.caller.offersLate || !(await channel.untilHeard())) return false
    await this.ringback.pause()
    await this.caller.waitFor(channel)
    return true
  }
}

/**
 * Lets a caller that the switch bridges by itself hear the far end from its first RTP on. The caller gets 183 then, and
 * our ringback while further addresses ring.
 */
export async function passWhenHeard(caller: Channel, far: Channel): Promise<void> {
  if (caller.offersLate || !(await far.untilHeard())) return
  await caller.setText('ringback', ringbackTone)
  await far.passEarlyMedia()
}
