/**
 * Plays the ring tone, and shows notifications while no window of the console is visible. Only one of several windows
 * rings: the holder of a lock; when it closes, the next one.
 */
import { notify, unseen } from '../../../live/notifications'
import { RingTone } from './ring-tone'

const lockName = 'jackfield.ringer'

/** A window that stops may release the lock before the other windows learn why. */
const settleMs = 100

export interface RingNotice {
  callId: string
  title: string
  body: string
}

const isHidden = () => document.visibilityState === 'hidden'

export class Ringer {
  private notices: readonly RingNotice[] = []
  private readonly shown = new Map<string, Notification>()
  /** Aborts ringing, or waiting for the lock. */
  private ending: AbortController | undefined
  private isRinging = false

  constructor() {
    document.addEventListener('visibilitychange', () => void this.show())
  }

  /** Sets the ringing calls. */
  ringFor(notices: readonly RingNotice[]): void {
    this.notices = notices
    if (notices.length === 0) this.stop()
    else if (!this.ending) void this.start()
    void this.show()
  }

  private async start(): Promise<void> {
    const ending = new AbortController()
    this.ending = ending
    const { signal } = ending
    const ring = async () => {
      await new Promise((resolve) => setTimeout(resolve, settleMs))
      if (signal.aborted) return
      const tone = new RingTone()
      this.isRinging = true
      void this.show()
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      this.isRinging = false
      tone.stop()
    }
    const locks = navigator.locks as LockManager | undefined
    // Aborting the wait for the lock rejects the request.
    await (locks ? locks.request(lockName, { signal }, ring) : ring()).catch(() => undefined)
  }

  private stop(): void {
    this.ending?.abort()
    this.ending = undefined
  }

  /** Shows notifications for exactly the calls that ring while the page is hidden. */
  private async show(): Promise<void> {
    for (const [callId, notification] of this.shown) {
      if (isHidden() && this.notices.some((notice) => notice.callId === callId)) continue
      notification.close()
      this.shown.delete(callId)
    }
    if (!isHidden() || !this.isRinging || !this.ending) return
    await unseen(this.ending.signal).catch(() => undefined)
    if (!isHidden() || !this.isRinging) return
    for (const { callId, title, body } of this.notices) {
      if (this.shown.has(callId)) continue
      const notification = notify({ tag: callId, title, body, stays: true })
      if (notification) this.shown.set(callId, notification)
    }
  }
}
