/** Which device each call token of an incoming call went to. */
import type { IncomingCallNotice } from './incoming-call-notifier.js'

/**
 * A running app gets notice of a call both by stream and by push. When it answers with one of the two tokens, the other
 * channel must not report that the call was answered elsewhere.
 */
export class IssuedCallTokens {
  private readonly devices = new WeakMap<IncomingCallNotice, Map<string, string>>()

  /** @param deviceId null if unknown, as for clients' streams that name no device */
  add(notice: IncomingCallNotice, channelId: string, deviceId: string | null): void {
    if (deviceId === null) return
    const devices = this.devices.get(notice) ?? new Map<string, string>()
    this.devices.set(notice, devices.set(channelId, deviceId))
  }

  /** The device that got a channel's token; null if none did, or it is unknown. */
  deviceOf(notice: IncomingCallNotice, channelId: string | null): string | null {
    return (channelId !== null && this.devices.get(notice)?.get(channelId)) || null
  }
}
