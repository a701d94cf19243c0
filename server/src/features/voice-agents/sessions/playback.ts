/** Plays a voice agent's speech, and knows how much of it the caller has heard. */
import { EventEmitter } from 'node:events'
import type { RawAudio } from '../../../adapters/freeswitch/raw-audio.js'

/** Positions of one utterance, in samples since the leg was up. */
interface Utterance {
  readonly itemId: string
  readonly from: number
  to: number
  /** Whether all of it has come. */
  isWhole: boolean
}

/** An utterance that was cut off, and how much of it was heard, in milliseconds. */
export interface CutOff {
  itemId: string
  heardMs: number
}

interface PlaybackEvents {
  /** An utterance has been heard to its end. */
  heard: [itemId: string]
}

/** Utterances that are remembered as cut off: their late audio is not played. */
const maxRemembered = 50

export class Playback extends EventEmitter<PlaybackEvents> {
  /** Utterances that are not heard to their end, oldest first. */
  private utterances: Utterance[] = []
  private readonly cut = new Set<string>()
  private waiting: { until: number; resolve: () => void }[] = []
  private closed = false
  /** Samples that did not fit into what is queued. */
  dropped = 0

  constructor(private readonly audio: RawAudio) {
    super()
    audio.on('drained', () => this.look())
  }

  /** Whether something is being heard, or about to be. */
  get isSpeaking(): boolean {
    return this.audio.queuedMs > 0
  }

  /** @returns false for what is left of an utterance that was cut off */
  play(samples: Int16Array, itemId: string): boolean {
    if (this.closed || this.cut.has(itemId)) return false
    const { audio } = this
    let utterance = this.utterances.find((one) => one.itemId === itemId)
    if (!utterance) {
      utterance = { itemId, from: audio.written, to: audio.written, isWhole: false }
      this.utterances.push(utterance)
    }
    this.dropped += audio.write(samples)
    utterance.to = audio.written
    return true
  }

  /** All of an utterance has come. */
  finish(itemId: string): void {
    const utterance = this.utterances.find((one) => one.itemId === itemId)
    if (!utterance) return
    utterance.isWhole = true
    this.look()
  }

  /** Drops audio that has not been played. @returns the utterances that this cuts off, the one being heard first */
  interrupt(): CutOff[] {
    const { audio, utterances } = this
    this.look()
    const cutOff = utterances.map(({ itemId, from, to }) => ({
      itemId,
      heardMs: (Math.max(0, Math.min(audio.played, to) - from) * 1000) / audio.sampleRate,
    }))
    audio.clear()
    this.utterances = []
    for (const { itemId } of cutOff) this.forget(itemId)
    this.look()
    return cutOff
  }

  /** Resolves when all that was said so far has been heard or cut off, or nothing is heard any more. */
  async heard(): Promise<void> {
    if (this.closed || this.audio.played >= this.audio.written) return
    return new Promise((resolve) => this.waiting.push({ until: this.audio.written, resolve }))
  }

  /** Updates what has been heard: with every frame. */
  look(): void {
    const { played } = this.audio
    while (this.utterances[0]?.isWhole && this.utterances[0].to <= played) {
      const [{ itemId }] = this.utterances.splice(0, 1) as [Utterance]
      this.emit('heard', itemId)
    }
    if (this.waiting.length === 0) return
    const over = this.waiting.filter(({ until }) => until <= played)
    this.waiting = this.waiting.filter(({ until }) => until > played)
    for (const { resolve } of over) resolve()
  }

  close(): void {
    this.closed = true
    for (const { resolve } of this.waiting.splice(0)) resolve()
    this.removeAllListeners()
  }

  private forget(itemId: string): void {
    this.cut.add(itemId)
    const [oldest] = this.cut
    if (this.cut.size > maxRemembered && oldest !== undefined) this.cut.delete(oldest)
  }
}
