/**
 * A caller who waits and hears what the far end plays before it answers: the ringback of its network, or why it cannot
 * be reached (SIP 183 with SDP; RFC 3960).
 */
import type { Channel } from '../switch/channel.js'
import { type Ringback, ringbackTone } from './ringback.js'

export class EarlyMedia {
  private heard: { channel: Channel; joined: Promise<boolean> } | undefined

  constructor(
    private readonly caller: Channel,
    /** What the caller hears where the far end plays nothing. */
    private readonly ringback: Ringback,
  ) {}

  /** Lets the caller hear a channel that is not answered yet, until it is, or fails. */
  hear(channel: Channel): void {
    this.heard = { channel, joined: this.join(channel).catch(() => false) }
  }

  /** Whether the caller is joined with a channel that has been answered since. */
  async isJoinedWith(channel: Channel): Promise<boolean> {
    return this.heard?.channel === channel && (await this.heard.joined)
  }

  /** The far end has failed: the caller goes on as if it had never been heard. */
  async failed(): Promise<void> {
    if (this.heard && (await this.heard.joined)) await this.caller.forgetFailure()
  }

  private async join(channel: Channel): Promise<boolean> {
    // A description of media is no sound yet (RFC 3960 section 3.2): until then it rings.
    if (this.caller.offersLate || !(await channel.untilHeard())) return false
    await this.ringback.pause()
    await this.caller.waitFor(channel)
    return true
  }
}

/**
 * Lets a caller whom the switch connects by itself hear the far end from its first packet of sound on. The caller is told 183
 * then, and hears our ringback while further addresses ring.
 */
export async function passWhenHeard(caller: Channel, far: Channel): Promise<void> {
  if (caller.offersLate || !(await far.untilHeard())) return
  await caller.setText('ringback', ringbackTone)
  await far.passEarlyMedia()
}
