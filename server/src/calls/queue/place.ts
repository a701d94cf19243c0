/** A caller's place in the queue of a team. */
import { EventEmitter } from 'node:events'
import type { Member, Strategy } from '../team-members.js'

interface Queue {
  readonly strategy: Strategy
  position(): number
  /** Has the queue offered whom it can; resolves when it has. */
  dispatch(): Promise<void>
  giveBack(members: readonly Member[], restMs: number): void
  leave(isKept: boolean): void
}

/** An agent who has not answered a caller of a queue is left alone for so long. */
const restMs = 5_000

export class Place extends EventEmitter<{ moved: [] }> {
  /** Who is offered, and rung. */
  offered: readonly Member[] = []
  private waits: ((members: Member[] | null) => void) | undefined

  constructor(
    readonly enteredAt: Date,
    /** The call had it in an earlier process already. */
    readonly isResumed: boolean,
    private readonly queue: Queue,
  ) {
    super()
  }

  get strategy(): Strategy {
    return this.queue.strategy
  }

  /** 1 for who is next. */
  get position(): number {
    return this.queue.position()
  }

  get isWaiting(): boolean {
    return this.waits !== undefined
  }

  get isOffered(): boolean {
    return this.offered.length > 0
  }

  /** Whom to ring at once; null when all others wait longer, or nobody is free. */
  async now(): Promise<Member[] | null> {
    const offered = this.wait()
    await this.queue.dispatch()
    this.waits?.(null)
    return offered
  }

  /** Whom to ring, as soon as it is the caller's turn and somebody is free; null at the signal. */
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

  /** Nobody of those who were offered has answered: the caller waits on. */
  notTaken(): void {
    const members = this.offered
    this.offered = []
    this.queue.giveBack(members, restMs)
    this.moved()
  }

  /** @param isKept whether the row stays, for the process or link that takes the call up */
  leave(isKept: boolean): void {
    this.waits?.(null)
    this.queue.leave(isKept)
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
