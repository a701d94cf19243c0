/** Timers with one owner, whose end clears them all. */
export class Timers {
  readonly #running = new Set<NodeJS.Timeout>()

  /** @returns a function that cancels it */
  after(ms: number, run: () => void): () => void {
    // setTimeout runs at once above 2^31 ms; nothing simulated lasts that long
    const timer = setTimeout(
      () => {
        this.#running.delete(timer)
        run()
      },
      Math.min(ms, 2 ** 31 - 1),
    )
    this.#running.add(timer)
    return () => {
      clearTimeout(timer)
      this.#running.delete(timer)
    }
  }

  clear(): void {
    for (const timer of this.#running) clearTimeout(timer)
    this.#running.clear()
  }
}

/** FreeSWITCH handles a channel once per audio frame: a command to it starts within this time, in milliseconds. */
export const FRAME = 20
