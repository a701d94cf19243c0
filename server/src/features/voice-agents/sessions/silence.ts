/** Measures how long neither side has spoken, and has the voice agent react. */

/** How often the caller is asked before the voice agent says goodbye. */
const maxAsked = 2

export class Silence {
  private quietMs = 0
  private asked = 0

  /** @param seconds without a word after which the caller is asked whether they are there */
  constructor(private readonly seconds: number) {}

  /** Somebody speaks, or something is done for the caller: it is no silence. */
  broken(): void {
    this.quietMs = 0
  }

  /** The caller is there. */
  callerSpoke(): void {
    this.quietMs = 0
    this.asked = 0
  }

  /** @returns what to do after this much more silence: `ask` the caller, or `leave`; null: nothing yet */
  passed(ms: number): 'ask' | 'leave' | null {
    this.quietMs += ms
    if (this.quietMs < this.seconds * 1000) return null
    this.quietMs = 0
    this.asked += 1
    return this.asked > maxAsked ? 'leave' : 'ask'
  }
}
