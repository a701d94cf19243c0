/** The clock of another machine, as estimated from the times that it sends. */

/** How many of its times are remembered: a minute of an edge's lines. */
const remembered = 30

export class FarClock {
  /** How much later ours was when we heard the time, in ms: by the difference of the clocks, and by the way here. */
  private readonly delays: number[] = []

  /** @param said its time, in ms, as we have heard it now */
  heard(said: number, now = Date.now()): void {
    this.delays.push(now - said)
    if (this.delays.length > remembered) this.delays.shift()
  }

  /** A time of its clock by ours, in ms, or up to the shortest way here later; null where nothing is known. */
  toOurs(said: number): number | null {
    return this.delays.length > 0 ? said + Math.min(...this.delays) : null
  }
}
