import { SpeechModelError } from '../speech-model.js'
import { Resampler } from '../../../lib/sound/resampler.js'
import { isWav, readWavHeader } from './wav.js'

const knownRates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

/** A longer header is not a header. */
const longestHeader = 65_536

/**
 * Makes samples of what a text-to-speech service answers with, as it comes: `pcm` (16-bit, little-endian, mono), or a
 * WAV file, which some services send whatever is asked for.
 */
export class SpeechSamples {
  /** Bytes that make no whole header or sample yet. */
  private waiting: Buffer = Buffer.alloc(0)
  private hasBegun = false
  private resampler: Resampler | null = null

  /**
   * @param pcmRate samples a second, if the answer does not say
   * @param rate what is made of them
   */
  constructor(
    private readonly pcmRate: number,
    private readonly rate: number,
  ) {}

  /** @throws {SpeechModelError} `protocol`: it is neither */
  push(bytes: Buffer): Int16Array {
    let all = this.waiting.length === 0 ? bytes : Buffer.concat([this.waiting, bytes])
    if (!this.hasBegun) {
      const begun = this.begin(all)
      if (!begun) {
        this.waiting = all
        return new Int16Array(0)
      }
      all = begun
    }
    const whole = all.length - (all.length % 2)
    this.waiting = all.subarray(whole)
    const samples = new Int16Array(whole / 2)
    all.copy(Buffer.from(samples.buffer), 0, 0, whole)
    return this.resampler ? this.resampler.push(samples) : samples
  }

  /** The rest of them. */
  end(): Int16Array {
    if (!this.hasBegun && this.waiting.length > 0) throw new SpeechModelError('protocol', noSpeech)
    return this.resampler?.end() ?? new Int16Array(0)
  }

  /** @returns what follows the header; null if more octets are needed */
  private begin(bytes: Buffer): Buffer | null {
    if (bytes.length < 4) return null
    if (!isWav(bytes)) return this.from(this.pcmRate, bytes)
    const header = readWavHeader(bytes)
    if (header) return this.from(header.rate, bytes.subarray(header.dataAt))
    if (bytes.length > longestHeader) throw new SpeechModelError('protocol', noSpeech)
    return null
  }

  private from(rate: number, samples: Buffer): Buffer {
    if (!knownRates.includes(rate)) {
      throw new SpeechModelError('protocol', `text to speech answered with ${rate} samples a second`)
    }
    if (rate !== this.rate) this.resampler = new Resampler(rate, this.rate)
    this.hasBegun = true
    return samples
  }
}

const noSpeech = 'text to speech answered with neither pcm nor a WAV file'
