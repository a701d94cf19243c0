/** How many things of one owner may be under way at once; the others wait their turn, for a bounded time. */

interface Queue {
  running: number
  readonly waiting: Set<() => void>
}

/** No turn came in the time given. */
export class NoTurnError extends Error {}

export class Turns {
  private readonly queues = new Map<string, Queue>()

  constructor(private readonly max: number) {}

  /** Runs `work` in its turn. @throws {NoTurnError} when none comes within `waitMs` */
  async take<T>(owner: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(owner) ?? { running: 0, waiting: new Set() }
    this.queues.set(owner, queue)
    if (queue.running < this.max) queue.running += 1
    else await turnIn(queue, waitMs)
    try {
      return await work()
    } finally {
      this.pass(owner, queue)
    }
  }

  /** A turn goes from who has it to who waits longest. */
  private pass(owner: string, queue: Queue): void {
    const [next] = queue.waiting
    if (next) next()
    else if (queue.running > 1) queue.running -= 1
    else this.queues.delete(owner)
  }
}

async function turnIn({ waiting }: Queue, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = () => {
      clearTimeout(timer)
      waiting.delete(take)
      resolve()
    }
    const timer = setTimeout(() => {
      waiting.delete(take)
      reject(new NoTurnError())
    }, waitMs)
    waiting.add(take)
  })
}
