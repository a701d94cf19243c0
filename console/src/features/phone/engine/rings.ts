/** Calls that ring here. Tabs of one browser inform each other when a call is taken. */
import type { Party } from './kept-call'
import type { RingNotice } from './ringer'

/** A call that rings here. */
export interface Ring {
  readonly callId: string
  readonly from: Party
  readonly to: Party
  readonly wsUrl: string
  readonly token: string
}

/** Texts of a call's notification. */
export type RingWords = (ring: Ring) => { title: string; body: string }

/** Further calls are not shown. */
const maxRings = 5

/** Longest ring time (docs/calls/flows.md); a call that rings longer has ended and its event was missed. */
const longestRingMs = 310_000

/** After a reconnect the server repeats the events of ringing calls within this time. */
const repeatedMs = 3_000

const channelName = 'jackfield.phone'

export class Rings {
  private all: readonly Ring[] = []
  private readonly timers = new Map<string, number>()
  private readonly channel = new BroadcastChannel(channelName)
  /** Texts of notifications, in the page's language. */
  words: RingWords = ({ from }) => ({ title: from.name || from.number, body: from.number })

  constructor(private readonly changed: (rings: readonly Ring[]) => void) {
    this.channel.onmessage = ({ data }: MessageEvent<{ taken: string }>) => this.remove(data.taken)
  }

  get notices(): readonly RingNotice[] {
    return this.all.map((ring) => ({ callId: ring.callId, ...this.words(ring) }))
  }

  has(callId: string): boolean {
    return this.all.some((ring) => ring.callId === callId)
  }

  /** A repeated event updates the call, which keeps ringing. */
  add(ring: Ring): void {
    const { callId } = ring
    if (!this.has(callId) && this.all.length >= maxRings) return
    this.removeAfter(callId, longestRingMs)
    this.set(
      this.has(callId) ? this.all.map((one) => (one.callId === callId ? ring : one)) : [...this.all, ring],
    )
  }

  /** End events may have been missed: only calls whose ring event is repeated keep ringing. */
  doubt(): void {
    for (const { callId } of this.all) this.removeAfter(callId, repeatedMs)
  }

  /** Stops ringing in all tabs. */
  taken(callId: string): void {
    this.channel.postMessage({ taken: callId })
    this.remove(callId)
  }

  /** Stops ringing in this tab. */
  remove(callId: string): void {
    window.clearTimeout(this.timers.get(callId))
    this.timers.delete(callId)
    if (this.has(callId)) this.set(this.all.filter((ring) => ring.callId !== callId))
  }

  clear(): void {
    for (const { callId } of this.all) this.remove(callId)
  }

  private removeAfter(callId: string, ms: number): void {
    window.clearTimeout(this.timers.get(callId))
    this.timers.set(
      callId,
      window.setTimeout(() => this.remove(callId), ms),
    )
  }

  private set(rings: readonly Ring[]): void {
    this.all = rings
    this.changed(rings)
  }
}
