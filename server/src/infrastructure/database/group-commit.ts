/**
 * Writes that come while an earlier one of the same key is under way are done together with each other, as databases do at
 * commit: no write waits for more to come. Of those that may not be done together, each is done singly.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Writes that are done in one transaction. */
const mostAtOnce = 64

interface Waiting<Item, Result> {
  readonly item: Item
  /** Runs work in the caller's context, such as its trace. */
  readonly within: <T>(work: () => T) => T
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export class GroupCommit<Item, Result> {
  /** By key, while one of its writes is under way. */
  private readonly waiting = new Map<string, Waiting<Item, Result>[]>()

  /** @param write in one transaction; its results are in the order of the items */
  constructor(private readonly write: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  /** @param key such as a workspace: writes of another one neither wait for these nor fail with them */
  async add(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const one = { item, within: AsyncLocalStorage.snapshot(), resolve, reject }
      const others = this.waiting.get(key)
      if (others) {
        others.push(one)
        return
      }
      this.waiting.set(key, [])
      void this.writeAll(key, [one])
    })
  }

  private async writeAll(key: string, first: readonly Waiting<Item, Result>[]): Promise<void> {
    for (let batch = first; batch.length > 0;) {
      await this.writeTogether(batch)
      batch = this.waiting.get(key)?.splice(0, mostAtOnce) ?? []
    }
    this.waiting.delete(key)
  }

  private async writeTogether(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const [first] = batch
    if (!first) return
    try {
      const results = await first.within(async () => this.write(batch.map(({ item }) => item)))
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result))
    } catch (error) {
      // Whether a transaction whose connection was lost is committed is not known: it is not for this to do it again.
      if (batch.length === 1 || isConnectionLost(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await this.writeTogether([one])
    }
  }
}

function isConnectionLost(error: unknown): boolean {
  const { driverError, fatal } = error as { driverError?: { fatal?: boolean }; fatal?: boolean }
  return Boolean(driverError?.fatal ?? fatal)
}
