/**
 * The windows of this browser in which the console is open, as far as they matter to a phone: whether another one has the
 * agent's call. A lock tells, which ends with its window.
 */

const talkLock = 'jackfield.talk'
const channelName = 'jackfield.talks'

export class Windows {
  private readonly locks = navigator.locks as LockManager | undefined
  private readonly channel = new BroadcastChannel(channelName)
  private endTalk: (() => void) | undefined
  private isElsewhere = false

  /** @param changed told whether another window has a call */
  constructor(private readonly changed: (isElsewhere: boolean) => void) {
    this.channel.onmessage = () => void this.look()
    void this.look()
  }

  /** This window has a call, or has it no more. */
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
    this.tell(true)
    await locks.request(talkLock, { mode: 'shared' }, () => this.tell(false))
  }

  private tell(isElsewhere: boolean): void {
    this.isElsewhere = isElsewhere
    this.changed(isElsewhere)
  }
}
