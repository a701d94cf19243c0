/** Turns at something scarce: so many at once for each owner and for all owners, the waiting owners served in rotation. */

export interface TurnLimits {
  /** Turns that one owner may have at once. */
  readonly ofOwner: number
  /** Turns that all owners may have at once; without a limit when left out. */
  readonly inAll?: number
  /**
   * An owner begins no turn while it has as many as this part of those that are free; 1 when left out. It is the dynamic
   * threshold of shared buffers (Choudhury and Hahne, 1998): with 1/8 one owner gets a ninth of all places, the next a ninth
   * of the rest, and so on, so that places are left for newcomers.
   */
  readonly share?: number
  /** Requests of one owner that may wait; the next one is refused at once. Without a limit when left out. */
  readonly waitingOfOwner?: number
}

interface Queue {
  running: number
  readonly waiting: Set<() => void>
}

/** No turn came in the time given. */
export class NoTurnError extends Error {}

/** As many requests of the owner wait already as may. */
export class LineFullError extends NoTurnError {}

export class Turns {
  private readonly queues = new Map<string, Queue>()
  /** Owners with requests that wait; the one that was served last comes last. */
  private readonly rotation = new Set<string>()
  private running = 0

  constructor(private readonly limits: TurnLimits) {}

  /**
   * Runs `work` in its turn.
   * @throws {LineFullError} too many requests of the owner wait
   * @throws {NoTurnError} no turn comes within `waitMs`
   */
  async take<T>(owner: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(owner) ?? { running: 0, waiting: new Set() }
    this.queues.set(owner, queue)
    // A newcomer gets a free place only where no other that may have it waits.
    if (this.mayRun(queue)) this.start(queue)
    else await this.turnIn(owner, queue, waitMs)
    try {
      return await work()
    } finally {
      queue.running -= 1
      this.running -= 1
      this.forget(owner, queue)
      this.serve()
    }
  }

  private mayRun({ running }: Queue): boolean {
    const { ofOwner, inAll = Infinity, share = 1 } = this.limits
    const free = inAll - this.running
    return free > 0 && running < ofOwner && running < Math.max(1, free * share)
  }

  private start(queue: Queue): void {
    queue.running += 1
    this.running += 1
  }

  /** Gives what is free to those who wait, one owner after the other. */
  private serve(): void {
    for (const owner of this.rotation) {
      if (this.running >= (this.limits.inAll ?? Infinity)) return
      const queue = this.queues.get(owner)
      const [next] = queue?.waiting ?? []
      if (!queue || !next || !this.mayRun(queue)) continue
      this.rotation.delete(owner)
      this.start(queue)
      next()
      // An owner that is added again is met again by this loop, after all others.
      if (queue.waiting.size > 0) this.rotation.add(owner)
    }
  }

  private forget(owner: string, queue: Queue): void {
    if (queue.waiting.size === 0) this.rotation.delete(owner)
    if (queue.running === 0 && queue.waiting.size === 0) this.queues.delete(owner)
  }

  private async turnIn(owner: string, queue: Queue, waitMs: number): Promise<void> {
    if (queue.waiting.size >= (this.limits.waitingOfOwner ?? Infinity)) throw new LineFullError()
    await new Promise<void>((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        queue.waiting.delete(take)
        resolve()
      }
      const timer = setTimeout(() => {
        queue.waiting.delete(take)
        this.forget(owner, queue)
        reject(new NoTurnError())
      }, waitMs)
      queue.waiting.add(take)
      this.rotation.add(owner)
    })
  }
}
