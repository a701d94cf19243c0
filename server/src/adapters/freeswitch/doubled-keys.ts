/** Keys that a phone sends two ways, as events (RFC 4733) or tones in its audio, and by SIP INFO: each counts once. */

export type KeySource = 'rtp' | 'info' | 'tone'

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

const sources: Readonly<Record<string, KeySource>> = { RTP: 'rtp', ENDPOINT: 'info', INBAND_AUDIO: 'tone' }

/** How the switch names the ways (switch_channel.c, `DTMF-Source`); undefined for all others. */
export function keySource(text: string | undefined): KeySource | undefined {
  return sources[text ?? '']
}
