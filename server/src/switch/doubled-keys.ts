/** Keys that a phone sends both ways, in its audio (RFC 4733) and by SIP INFO: each counts once. */

export type KeySource = 'rtp' | 'info'

/** The second of a pair comes within this, in milliseconds, also when its INFO was sent again. */
const pairMs = 3_000

/** More are not pressed within that time. */
const mostWaiting = 64

export class DoubledKeys {
  private waiting: { key: string; source: KeySource; at: number }[] = []

  /** Whether the key came before by the other way, and was not yet paired. */
  repeats(key: string, source: KeySource, at = Date.now()): boolean {
    this.waiting = this.waiting.filter((one) => at - one.at < pairMs).slice(-mostWaiting)
    const first = this.waiting.findIndex((one) => one.key === key && one.source !== source)
    if (first < 0) this.waiting.push({ key, source, at })
    else this.waiting.splice(first, 1)
    return first >= 0
  }
}

/** How the switch names the ways (switch_channel.c, `DTMF-Source`); undefined for all others. */
export function keySource(text: string | undefined): KeySource | undefined {
  return text === 'RTP' ? 'rtp' : text === 'ENDPOINT' ? 'info' : undefined
}
