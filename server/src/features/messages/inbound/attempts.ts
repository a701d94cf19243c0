/** Attempts to keep what a carrier hands over: it may come again before, or after, one of them has failed. */
import { newId } from '../../../infrastructure/database/ids.js'

/** A carrier that waits longer than this for its answer may have sent the same again. */
const patienceMs = 3_000

/** Failed attempts that are remembered. */
const maxFailed = 10_000

interface Running {
  readonly since: number
  readonly done: Promise<void>
}

export class Attempts {
  private readonly running = new Map<string, Running>()
  private readonly failed = new Map<string, string>()

  /**
   * Makes an attempt. A repetition shares the outcome of an attempt that takes long. After a failure the next attempt
   * has the same id, because a transaction whose answer was lost may have been committed.
   * @param key the same for repetitions of one text
   * @param work gets the id for the row
   */
  async make(key: string, work: (id: string) => Promise<void>): Promise<void> {
    const before = this.running.get(key)
    if (before && Date.now() - before.since > patienceMs) return before.done
    const id = this.failed.get(key) ?? newId('evt')
    this.failed.delete(key)
    const done = work(id)
    const running = { since: Date.now(), done }
    this.running.set(key, running)
    try {
      await done
    } catch (error) {
      this.remember(key, id)
      throw error
    } finally {
      if (this.running.get(key) === running) this.running.delete(key)
    }
  }

  private remember(key: string, id: string): void {
    this.failed.set(key, id)
    const [oldest] = this.failed.keys()
    if (this.failed.size > maxFailed && oldest !== undefined) this.failed.delete(oldest)
  }
}
