/** A caller's position in the queue of a team. */
import { EventEmitter } from 'node:events'
import type { Member, Strategy } from '../dialling/team-members.js'
import type { WaitResult } from '../model/queue-wait.entity.js'

interface Queue {
  readonly strategy: Strategy
  /** Id of an agent who is not offered the caller. */
  readonly except: string | null
  position(): number
  /** Makes the queue offer all members that it can; resolves when it has. */
  dispatch(): Promise<void>
  giveBack(members: readonly Member[], restMs: number): void
  leave(isKept: boolean, result: WaitResult): void
}

/** Pause before an agent who did not answer a caller of a queue is offered another one. */
const restMs = 5_000

export class QueuePosition extends EventEmitter<{ moved: [] }> {
  /** The members who are offered the caller, and rung. */
  offered: readonly Member[] = []
  private waits: ((members: Member[] | null) => void) | undefined

  constructor(
    readonly enteredAt: Date,
    /** Whether the call had this position in the previous process. */
    readonly isResumed: boolean,
    private readonly queue: Queue,
  ) {
    super()
  }

  get strategy(): Strategy {
    return this.queue.strategy
  }

  get except(): string | null {
    return this.queue.except
  }

  /** 1 for the next caller. */
  get position(): number {
    return this.queue.position()
  }

  get isWaiting(): boolean {
    return this.waits !== undefined
  }

  get isOffered(): boolean {
    return this.offered.length > 0
  }

  /** The members to ring at once; null when it is not the caller's turn, or no member is free. */
  async now(): Promise<Member[] | null> {
    const offered = this.wait()
    await this.queue.dispatch()
    this.waits?.(null)
    return offered
  }

  /** The members to ring, as soon as it is the caller's turn and a member is free; null at the signal. */
  async next(signal: AbortSignal): Promise<Member[] | null> {
    const offered = this.wait()
    const stop = () => this.waits?.(null)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    void this.queue.dispatch()
    try {
      return await offered
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** None of the offered members has answered: the caller keeps waiting. */
  notTaken(): void {
    const members = this.offered
    this.offered = []
    this.queue.giveBack(members, restMs)
    this.moved()
  }

  /** @param isKept whether the row stays, for the process or link that recovers the call */
  leave(isKept: boolean, result: WaitResult): void {
    this.waits?.(null)
    this.queue.leave(isKept, result)
    this.removeAllListeners()
  }

  /** Called by the queue. */
  offer(members: Member[]): void {
    this.offered = members
    this.waits?.(members)
  }

  /** Called by the queue: the position may have changed. */
  moved(): void {
    this.emit('moved')
  }

  private async wait(): Promise<Member[] | null> {
    return new Promise((resolve) => {
      this.waits = (members) => {
        this.waits = undefined
        resolve(members)
      }
    })
  }
}
