/** The bridge in the switch between both ends of a talk, which may be opened and closed again. */
import type { Channel } from '../switch/channel.js'
import { SwitchRefusedError } from '../switch/errors.js'

export class TalkBridge {
  private joined = false
  /** Whether channels are parked after a bridge, or let go; of those of which it is known. */
  private readonly parks = new WeakMap<Channel, boolean>()

  /** @param isVideo whether both may see each other too */
  constructor(private readonly isVideo: boolean) {}

  /** The switch has both joined already. */
  takeUp(): void {
    this.joined = true
  }

  /** What a channel does when a bridge of it ends has been set. */
  setParks(channel: Channel, parks: boolean): void {
    this.parks.set(channel, parks)
  }

  /** Joins both. @param bearing is parked when the other one leaves, which goes with it when it leaves itself */
  async join(bearing: Channel, other: Channel): Promise<void> {
    if (this.joined) return
    this.joined = true
    try {
      await bearing.bridgeTo(other, this.isVideo)
      if (this.isVideo) await Promise.all([bearing.refreshVideo(), other.refreshVideo()])
      // That the other one goes too is the switch's work: it does so also when nobody drives the call.
      if (this.parks.get(other) !== false) await other.parkAfterBridge(false)
      this.parks.set(other, false)
    } catch (error) {
      this.joined = false
      // One of both has just left: that is told by its own event.
      if (!(error instanceof SwitchRefusedError)) throw error
      if (!bearing.end) await other.hangUp('NORMAL_TEMPORARY_FAILURE')
    }
  }

  /** Parts both, where they are joined: each is parked. @param leaving who of them is hung up next, and not waited for */
  async part(one: Channel, other: Channel, leaving?: Channel): Promise<void> {
    if (!this.joined) return
    this.joined = false
    this.parks.set(other, true)
    await one.partFrom(other, leaving)
  }
}
