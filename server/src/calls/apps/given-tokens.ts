/** Which device each call token of a ring went to. */
import type { Notice } from './announcer.js'

/**
 * An app that runs is told of a call on its stream and by push: when it answers with one of both tokens, it must not be
 * told by the other way that somebody else did.
 */
export class GivenTokens {
  private readonly devices = new WeakMap<Notice, Map<string, string>>()

  /** @param deviceId null where it is not known, as of clients' streams that name none */
  add(notice: Notice, channelId: string, deviceId: string | null): void {
    if (deviceId === null) return
    const devices = this.devices.get(notice) ?? new Map<string, string>()
    this.devices.set(notice, devices.set(channelId, deviceId))
  }

  /** The device whose token a channel has; null where none has, or it is not known. */
  deviceOf(notice: Notice, channelId: string | null): string | null {
    return (channelId !== null && this.devices.get(notice)?.get(channelId)) || null
  }
}
