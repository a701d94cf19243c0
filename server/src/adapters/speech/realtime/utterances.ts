/** What the voice agent has said: the audio received so far, and its words. */

/** Utterances that can be interrupted: older ones have been played long ago. */
const maxKept = 32

/** Characters of one utterance. */
const maxText = 65_536

interface Utterance {
  samples: number
  /** Index of the sound in the item's content. */
  contentIndex: number
  /** The first half of a sample, where a piece ended within one. */
  half: number | null
  text: string
  isSaid: boolean
  isSounded: boolean
}

export class Utterances {
  private readonly all = new Map<string, Utterance>()

  constructor(private readonly rate: number) {}

  private of(itemId: string): Utterance {
    const known = this.all.get(itemId)
    if (known) return known
    const [oldest] = this.all.keys()
    if (oldest !== undefined && this.all.size >= maxKept) this.all.delete(oldest)
    const made = { samples: 0, contentIndex: 0, half: null, text: '', isSaid: false, isSounded: false }
    this.all.set(itemId, made)
    return made
  }

  /** @param base64 16-bit PCM, little-endian */
  sound(itemId: string, contentIndex: number, base64: string): Int16Array {
    const utterance = this.of(itemId)
    const head = utterance.half === null ? [] : [utterance.half]
    const bytes = Buffer.from(base64, 'base64')
    const length = head.length + bytes.length
    const samples = new Int16Array(length >> 1)
    const target = Buffer.from(samples.buffer)
    target.set(head.slice(0, target.length))
    bytes.copy(target, head.length)
    utterance.half = length % 2 === 0 ? null : (bytes.at(-1) ?? utterance.half)
    utterance.samples += samples.length
    utterance.contentIndex = contentIndex
    return samples
  }

  /** @returns false if its audio was complete before */
  soundEnds(itemId: string): boolean {
    const utterance = this.of(itemId)
    const isNew = !utterance.isSounded
    utterance.isSounded = true
    return isNew
  }

  /** A piece of its words. */
  words(itemId: string, piece: string): void {
    const utterance = this.of(itemId)
    if (utterance.text.length + piece.length <= maxText) utterance.text += piece
  }

  /** @param all all its words; '': use the pieces. @returns '' if they were reported before */
  wordsEnd(itemId: string, all: string): string {
    const utterance = this.of(itemId)
    if (utterance.isSaid) return ''
    const text = (all || utterance.text).slice(0, maxText).trim()
    utterance.isSaid = text !== ''
    utterance.text = ''
    return text
  }

  /** Utterances whose sound or words have begun and are not complete. */
  unfinished(): { itemId: string; hasSound: boolean; hasWords: boolean }[] {
    return [...this.all]
      .map(([itemId, { samples, text, isSounded, isSaid }]) => ({
        itemId,
        hasSound: samples > 0 && !isSounded,
        hasWords: text !== '' && !isSaid,
      }))
      .filter(({ hasSound, hasWords }) => hasSound || hasWords)
  }

  /**
   * Where to cut an utterance for a caller who has heard `heardMs` of it.
   * @returns null when the caller has heard all audio received so far, or there is none: the provider refuses a later place
   */
  cut(itemId: string, heardMs: number): { contentIndex: number; endMs: number } | null {
    const utterance = this.all.get(itemId)
    if (!utterance || heardMs >= (utterance.samples * 1000) / this.rate) return null
    return { contentIndex: utterance.contentIndex, endMs: Math.max(0, Math.floor(heardMs)) }
  }
}
