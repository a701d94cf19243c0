/** Turns at something scarce: so many at once for each owner and for all owners, the waiting owners served in rotation. */

export interface PlaceLimits {
  /** Places that one owner may have at once. */
  readonly ofOwner: number
  /** Places that all owners may have at once; without a limit when left out. */
  readonly inAll?: number
  /**
   * An owner gets no place while it has as many as this part of those that are free; 1 when left out. It is the dynamic
   * threshold of shared buffers (Choudhury and Hahne, 1998): with 1/8 one owner gets a ninth of all places, the next a ninth
   * of the rest, and so on, so that places are left for newcomers.
   */
  readonly share?: number
}

export interface TurnLimits extends PlaceLimits {
  /** Requests of one owner that may wait; the next one is refused at once. No limit when left out. */
  readonly waitingOfOwner?: number
}

/** The places themselves: which owner may take one, for work that waits here or in a table of the database. */
export class Places {
  private readonly counts = new Map<string, number>()
  private total = 0

  constructor(private readonly limits: PlaceLimits) {}

  get free(): number {
    return (this.limits.inAll ?? Infinity) - this.total
  }

  mayTake(owner: string): boolean {
    const { ofOwner, share = 1 } = this.limits
    const own = this.of(owner)
    return this.free > 0 && own < ofOwner && own < Math.max(1, this.free * share)
  }

  of(owner: string): number {
    return this.counts.get(owner) ?? 0
  }

  take(owner: string): void {
    this.counts.set(owner, this.of(owner) + 1)
    this.total += 1
  }

  /** Takes as many as the owner may have, up to `most`. @returns how many */
  takeUpTo(owner: string, most: number): number {
    let taken = 0
    for (; taken < most && this.mayTake(owner); taken++) this.take(owner)
    return taken
  }

  giveBack(owner: string, count = 1): void {
    if (count === 0) return
    const left = this.of(owner) - count
    if (left > 0) this.counts.set(owner, left)
    else this.counts.delete(owner)
    this.total -= count
  }
}

/** No turn came in the time given. */
export class NoTurnError extends Error {}

/** As many requests of the owner wait already as may. */
export class LineFullError extends NoTurnError {}

export class Turns {
  private readonly places: Places
  /** The requests of each owner that wait; none is empty. */
  private readonly queues = new Map<string, Set<() => void>>()
  /** Owners with waiting requests; the one that was served last is at the end. */
  private readonly rotation = new Set<string>()

  constructor(private readonly limits: TurnLimits) {
    this.places = new Places(limits)
  }

  /**
   * Runs `work` in its turn.
   * @throws {LineFullError} too many requests of the owner wait
   * @throws {NoTurnError} no turn comes within `waitMs`
   */
  async take<T>(owner: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    // A newcomer gets a free place only where no other that may have it waits.
    if (this.places.mayTake(owner)) this.places.take(owner)
    else await this.turnIn(owner, waitMs)
    try {
      return await work()
    } finally {
      this.places.giveBack(owner)
      this.serve()
    }
  }

  /** Serves waiting requests while there is room, one owner after the other. */
  private serve(): void {
    for (const owner of this.rotation) {
      if (this.places.free <= 0) return
      const queue = this.queues.get(owner)
      const [next] = queue ?? []
      if (!queue || !next || !this.places.mayTake(owner)) continue
      this.rotation.delete(owner)
      this.places.take(owner)
      next()
      // An owner that is added again is met again by this loop, after all others.
      if (queue.size > 0) this.rotation.add(owner)
    }
  }

  private async turnIn(owner: string, waitMs: number): Promise<void> {
    const queue = this.queues.get(owner) ?? new Set()
    if (queue.size >= (this.limits.waitingOfOwner ?? Infinity)) throw new LineFullError()
    this.queues.set(owner, queue)
    const leave = (take: () => void) => {
      queue.delete(take)
      if (queue.size > 0) return
      this.rotation.delete(owner)
      this.queues.delete(owner)
    }
    await new Promise<void>((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        leave(take)
        resolve()
      }
      const timer = setTimeout(() => {
        leave(take)
        reject(new NoTurnError())
      }, waitMs)
      queue.add(take)
      this.rotation.add(owner)
    })
  }
}
