/** The switch's bridge between both legs of a call; it can be parted and joined again. */
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import { SwitchRefusedError } from '../../../adapters/freeswitch/errors.js'

export class MediaBridge {
  private joined = false
  /** Per channel, as far as known: whether it is parked or hung up after a bridge. */
  private readonly parks = new WeakMap<Channel, boolean>()

  /** @param isVideo whether the bridge carries video */
  constructor(private readonly isVideo: boolean) {}

  /** The switch has bridged both already. */
  recover(): void {
    this.joined = true
  }

  /** Records what a channel does when its bridge ends. */
  setParks(channel: Channel, parks: boolean): void {
    this.parks.set(channel, parks)
  }

  /**
   * Bridges both, unless they are.
   * @param bearing the primary leg: parked when the other one leaves; the other one hangs up with it
   */
  async join(bearing: Channel, other: Channel): Promise<void> {
    const begins = !this.joined
    this.joined = true
    try {
      if (begins) await bearing.bridgeTo(other, this.isVideo)
      if (begins && this.isVideo) await Promise.all([bearing.refreshVideo(), other.refreshVideo()])
      // The switch must hang up the other leg by itself: it does so even while no server runs.
      if (this.parks.get(other) !== false) await other.parkAfterBridge(false)
      this.parks.set(other, false)
    } catch (error) {
      this.joined = false
      // One of them has just left; its hangup event says so.
      if (!(error instanceof SwitchRefusedError)) throw error
      if (!bearing.end) await other.hangUp('NORMAL_TEMPORARY_FAILURE')
    }
  }

  /**
   * Parts the bridge, if there is one, and parks both legs.
   * @param leaving the leg that is hung up next, and not waited for
   */
  async part(one: Channel, other: Channel, leaving?: Channel): Promise<void> {
    if (!this.joined) return
    this.joined = false
    this.parks.set(other, true)
    await one.partFrom(other, leaving)
  }
}
