/** Polls the legs of a switch in rounds, one at a time: commands that drive calls are not held up. */
import { setTimeout as sleep } from 'node:timers/promises'

interface Options<Leg, State> {
  /** The legs to poll, read at the beginning of each round. */
  readonly legs: () => readonly Leg[]
  /** Milliseconds between two rounds. */
  readonly roundMs: number
  /** Milliseconds between two legs of a round; none by default. */
  readonly gapMs?: number
  /** @param before its result of the previous round @throws when the leg is gone, or the switch does not answer */
  readonly look: (leg: Leg, before: State | undefined) => Promise<State>
  /** Handles a leg whose state is due. */
  readonly act: (leg: Leg) => Promise<void>
}

/** The state of a leg is forgotten when it is gone. */
export class LegRounds<Leg extends { readonly id: string }, State extends { readonly isDue: boolean }> {
  private readonly known = new Map<string, State>()
  private stopping: AbortController | undefined

  constructor(private readonly options: Options<Leg, State>) {}

  start(): void {
    this.stop()
    this.stopping = new AbortController()
    void this.run(this.stopping.signal)
  }

  stop(): void {
    this.stopping?.abort()
    this.stopping = undefined
    this.known.clear()
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { roundMs, gapMs = 0 } = this.options
    const wait = async (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
    for (;;) {
      await wait(roundMs)
      if (signal.aborted) return
      const legs = this.options.legs()
      const present = new Set(legs.map(({ id }) => id))
      for (const id of this.known.keys()) if (!present.has(id)) this.known.delete(id)
      for (const leg of legs) {
        if (signal.aborted) return
        await this.look(leg).catch(() => undefined)
        if (gapMs > 0) await wait(gapMs)
      }
    }
  }

  private async look(leg: Leg): Promise<void> {
    const state = await this.options.look(leg, this.known.get(leg.id))
    this.known.set(leg.id, state)
    if (state.isDue) await this.options.act(leg)
  }
}
