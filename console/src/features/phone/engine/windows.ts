/**
 * Tells the phone whether another window of this browser has the agent's call.
 * Implemented by a lock, which is released when its window closes.
 */

const talkLock = 'jackfield.talk'
const channelName = 'jackfield.talks'

export class Windows {
  private readonly locks = navigator.locks as LockManager | undefined
  private readonly channel = new BroadcastChannel(channelName)
  private endTalk: (() => void) | undefined
  private isElsewhere = false

  /** @param changed called when another window gets or ends a call */
  constructor(private readonly changed: (isElsewhere: boolean) => void) {
    this.channel.onmessage = () => void this.look()
    void this.look()
  }

  /** This window got, or ended, a call. */
  talks(isTalking: boolean): void {
    if (isTalking === (this.endTalk !== undefined)) return
    if (!isTalking) {
      this.endTalk?.()
      this.endTalk = undefined
      return
    }
    const untilEnd = new Promise<void>((resolve) => (this.endTalk = resolve))
    void this.locks?.request(talkLock, async () => {
      this.channel.postMessage('talks')
      await untilEnd
    })
  }

  private async look(): Promise<void> {
    const { locks } = this
    if (!locks || this.endTalk || this.isElsewhere) return
    const isFree = await locks.request(
      talkLock,
      { mode: 'shared', ifAvailable: true },
      (lock) => lock !== null,
    )
    if (isFree) return
    this.publish(true)
    await locks.request(talkLock, { mode: 'shared' }, () => this.publish(false))
  }

  private publish(isElsewhere: boolean): void {
    this.isElsewhere = isElsewhere
    this.changed(isElsewhere)
  }
}
