/** The calls that ring here. Tabs of one browser tell each other which are taken. */
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

/** What a notification says of a call that rings. */
export type RingWords = (ring: Ring) => { title: string; body: string }

/** More that ring at a time are not shown. */
const maxRings = 5

/** Nobody is rung for longer at a stretch (docs/calls/flows.md); of one that rings on the end was not told. */
const longestRingMs = 310_000

/** A server that one has lost tells again what rings within this, once one is back. */
const toldAgainMs = 3_000

const channelName = 'jackfield.phone'

export class Rings {
  private all: readonly Ring[] = []
  private readonly timers = new Map<string, number>()
  private readonly channel = new BroadcastChannel(channelName)
  /** How notifications read, in the language of the page. */
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

  /** One that is told again rings on, with what was told last. */
  add(ring: Ring): void {
    const { callId } = ring
    if (!this.has(callId) && this.all.length >= maxRings) return
    this.removeAfter(callId, longestRingMs)
    this.set(
      this.has(callId) ? this.all.map((one) => (one.callId === callId ? ring : one)) : [...this.all, ring],
    )
  }

  /** The end of some may have been missed: those ring on that are told again. */
  doubt(): void {
    for (const { callId } of this.all) this.removeAfter(callId, toldAgainMs)
  }

  /** It rings no more in any tab. */
  taken(callId: string): void {
    this.channel.postMessage({ taken: callId })
    this.remove(callId)
  }

  /** It rings no more here. */
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
