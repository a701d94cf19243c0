/** The calls that ring here. Tabs of one browser tell each other which are taken. */
import type { Party } from './kept-call'
import { Ringer } from './ringer'

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

const channelName = 'jackfield.phone'

export class Rings {
  private all: readonly Ring[] = []
  private readonly channel = new BroadcastChannel(channelName)
  private readonly ringers = new Map<string, Ringer>()
  /** How notifications read, in the language of the page. */
  words: RingWords = ({ from }) => ({ title: from.name || from.number, body: from.number })

  constructor(private readonly changed: (rings: readonly Ring[]) => void) {
    this.channel.onmessage = ({ data }: MessageEvent<{ taken: string }>) => this.remove(data.taken)
  }

  has(callId: string): boolean {
    return this.all.some((ring) => ring.callId === callId)
  }

  /** @param isHeard who talks is not rung at the ear */
  add(ring: Ring, isHeard: boolean): void {
    if (this.all.length >= maxRings || this.has(ring.callId)) return
    this.set([...this.all, ring])
    if (isHeard) this.ringers.set(ring.callId, new Ringer({ callId: ring.callId, ...this.words(ring) }))
  }

  /** It rings no more in any tab. */
  taken(callId: string): void {
    this.channel.postMessage({ taken: callId })
    this.remove(callId)
  }

  /** It rings no more here. */
  remove(callId: string): void {
    this.ringers.get(callId)?.stop()
    this.ringers.delete(callId)
    if (this.has(callId)) this.set(this.all.filter((ring) => ring.callId !== callId))
  }

  /** Those that ring on are seen, and not heard. */
  silence(): void {
    for (const ringer of this.ringers.values()) ringer.stop()
    this.ringers.clear()
  }

  clear(): void {
    this.silence()
    this.set([])
  }

  private set(rings: readonly Ring[]): void {
    this.all = rings
    this.changed(rings)
  }
}
