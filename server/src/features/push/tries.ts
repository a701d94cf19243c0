/** Tries a push until it is sent, refused, or of no use any more; many at once, but not without bound. */
import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '../../lib/with-timeout.js'
import type { PushOutcome } from './push.js'

/** Longest time of a single try. */
const tryMs = 5_000

const firstPauseMs = 250
const longestPauseMs = 4_000

/** Tries under way at once; the others wait. */
const triesAtOnce = 200

export class Tries {
  private running = 0
  private readonly waiting: (() => void)[] = []

  /**
   * Tries with growing pauses until the deadline and no longer. Never throws.
   * @param signal ends it before the deadline
   * @returns what came of the last try; null when none was made
   */
  async until(
    deadline: number,
    signal: AbortSignal,
    attempt: (signal: AbortSignal) => Promise<PushOutcome>,
  ): Promise<PushOutcome | null> {
    let last: PushOutcome | null = null
    for (let tries = 0; ; tries++) {
      const outcome = await this.once(deadline, signal, attempt)
      if (!outcome) return last
      last = outcome
      const pause = pauseAfter(tries)
      if (outcome.kind !== 'failed' || Date.now() + pause >= deadline) return last
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
  }

  private async once(
    deadline: number,
    signal: AbortSignal,
    attempt: (signal: AbortSignal) => Promise<PushOutcome>,
  ): Promise<PushOutcome | null> {
    await this.enter()
    try {
      const left = deadline - Date.now()
      if (left <= 0 || signal.aborted) return null
      return await withTimeout(Math.min(left, tryMs), signal, attempt)
    } finally {
      this.leave()
    }
  }

  private async enter(): Promise<void> {
    if (this.running < triesAtOnce) this.running++
    // One that leaves hands its place on. Waiters are bounded by ringing calls and the devices of each person.
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  private leave(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.running--
  }
}

/** Doubles, and varies by a quarter so that many do not come back at once. */
function pauseAfter(tries: number): number {
  return Math.min(firstPauseMs * 2 ** tries, longestPauseMs) * (0.75 + Math.random() / 2)
}
