/** A bridge that the switch has accepted, and the time from which it may be ended: both channels share it. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The switch bridges two channels some 50 ms after it has accepted the command. */
const beginDeadlineMs = 5_000

/**
 * A bridge with video is not ended sooner. Its video thread reads what lies on the stack of the bridge's thread
 * (switch_ivr_bridge.c, `vid_helper`), which waits for it only once it runs: until then the end of the bridge crashes the
 * switch (measured, 1.10.12). It runs once the picture has come that it waits for.
 */
const videoStartMs = 2_000

export class BridgeStart {
  private readonly began = new AbortController()
  private readonly over = new AbortController()
  private videoRunsAt = 0

  /** @param mayBeVideo whether both may see each other */
  constructor(private readonly mayBeVideo: boolean) {}

  /** The switch has joined both. */
  begin(isVideo: boolean): void {
    if (isVideo) this.videoRunsAt = Date.now() + videoStartMs
    this.began.abort()
  }

  /** One of both has ended, or is not followed any more. */
  end(): void {
    this.began.abort()
    this.over.abort()
  }

  /**
   * Waits until the bridge may be ended, or one of its legs has ended. If a bridge is ended before it has begun, FreeSWITCH
   * parks one leg and leaves the other one in a bridge without a peer: it is never parked and ignores all commands (measured).
   */
  async untilPartable(): Promise<void> {
    await pause(beginDeadlineMs, this.began.signal)
    await pause(this.videoRunsAt - Date.now(), this.over.signal)
  }

  /** Waits until one of both may be hung up, which ends the bridge too: at once where it has no video. */
  async untilLeavable(): Promise<void> {
    if (this.mayBeVideo) await this.untilPartable()
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
}
