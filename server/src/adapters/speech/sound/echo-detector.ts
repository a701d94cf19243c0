/**
 * Distinguishes a caller's voice from the echo of what was played to them, by a two-wire line or a loudspeaker. The
 * sound is not changed. The detector measures which part of the incoming sound can be explained by what was sent, at
 * any delay up to 640 ms (their coherence), and how much quieter it is.
 */
import { levelOf } from '../level.js'
import { fftLength, transform } from './fft.js'

/** Samples from one spectrum to the next: 16 ms at 8,000 a second. */
const hop = fftLength / 2

/** Delays that are tried, in hops: up to 640 ms, of which 300 are a slow mobile network and a jitter buffer. */
const delays = 41

/** The band of a telephone, 300 to 3,400 Hz, in steps of 31 Hz. */
const [firstBin, bins] = [10, 100]

/** Weight of one hop in the averages, which cover about the last 190 ms. */
const weight = 1 / 12

/** Quieter sound does not count as played: dBFS. */
const silentDb = -55

/** A part of the sound that comes from what was sent: unrelated speech reaches 0.15, an echo of -30 dB 0.5 and more. */
const echoPart = 0.35
const possibleEchoPart = 0.2

/** In dB below what was sent: what is not let through on a doubt, on any account, and before anything is known. */
const [doubtfulBelow, quietBelow, unknownBelow] = [20, 38, 14]

/** Hops of sound that was played, until the averages can be trusted. */
const hopsToKnow = 12

/** Frames of 20 ms that what was played may take to come back. */
const tailFrames = 32

/** Frames after the last sound that was played in which the caller still hears it: pauses between words are that long. */
const playingFrames = 15

const hann = Float64Array.from(
  { length: fftLength },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / fftLength),
)

export class EchoDetector {
  private readonly heard = new Spectra()
  private readonly sent = new Spectra()
  /** Spectra of what was sent, and their averages, by hops ago: rings. */
  private readonly past = Array.from({ length: delays }, () => new Float64Array(2 * bins))
  private readonly pastPower = Array.from({ length: delays }, () => new Float64Array(bins))
  private newest = 0
  private readonly cross = Array.from({ length: delays }, () => new Float64Array(2 * bins))
  private readonly heardPower = new Float64Array(bins)
  private readonly sentPower = new Float64Array(bins)
  /** Levels of the last frames that were sent, as a ring. */
  private readonly sentLevels = new Float64Array(tailFrames).fill(silentDb)
  private frames = 0
  private quietFrames = Infinity
  private knownHops = 0
  /** The part of what is heard that comes from what was sent, from 0 to 1. */
  private part = 0

  /** Whether the caller hears something, or has until a moment ago. */
  get isPlaying(): boolean {
    return this.quietFrames < playingFrames
  }

  /** Both frames have 20 ms at 8,000 samples a second. @returns whether the incoming sound is an echo */
  hear(heard: Int16Array, sent: Int16Array): boolean {
    const sentLevel = levelOf(sent)
    this.sentLevels[this.frames++ % tailFrames] = sentLevel
    this.quietFrames = sentLevel > silentDb ? 0 : this.quietFrames + 1
    // Nothing has been played that could be an echo.
    if (this.quietFrames > 2 * tailFrames) {
      this.forget()
      return false
    }
    this.sent.add(sent)
    this.heard.add(heard)
    for (;;) {
      const spectra = [this.sent.next(), this.heard.next()] as const
      if (!spectra[0] || !spectra[1]) break
      this.compare(spectra[0], spectra[1])
    }
    if (this.quietFrames > tailFrames) return false
    const below = Math.max(...this.sentLevels) - levelOf(heard)
    if (below > quietBelow) return true
    if (this.knownHops < hopsToKnow) return below > unknownBelow
    return this.part > echoPart || (this.part > possibleEchoPart && below > doubtfulBelow)
  }

  private compare(sent: Float64Array, heard: Float64Array): void {
    this.newest = (this.newest + 1) % delays
    this.past[this.newest]?.set(sent)
    let total = 0
    for (let bin = 0; bin < bins; bin++) {
      average(this.sentPower, bin, power(sent, bin))
      total += average(this.heardPower, bin, power(heard, bin))
    }
    this.pastPower[this.newest]?.set(this.sentPower)
    if (this.quietFrames < tailFrames) this.knownHops += 1
    let most = 0
    for (let delay = 0; delay < delays; delay++) most = Math.max(most, this.explained(heard, delay))
    this.part = total > 0 ? most / total : 0
  }

  /** How much of the incoming power can come from what was sent this many hops ago. */
  private explained(heard: Float64Array, delay: number): number {
    const at = (this.newest - delay + delays) % delays
    const [past, before, cross] = [this.past[at], this.pastPower[at], this.cross[delay]]
    if (!past || !before || !cross) return 0
    let sum = 0
    for (let bin = 0; bin < bins; bin++) {
      const [a, b] = [heard[2 * bin] ?? 0, heard[2 * bin + 1] ?? 0]
      const [c, d] = [past[2 * bin] ?? 0, past[2 * bin + 1] ?? 0]
      const re = average(cross, 2 * bin, a * c + b * d)
      const im = average(cross, 2 * bin + 1, b * c - a * d)
      const sent = before[bin] ?? 0
      if (sent > 0) sum += (re * re + im * im) / sent
    }
    return sum
  }

  private forget(): void {
    if (this.knownHops === 0) return
    this.knownHops = 0
    this.part = 0
    for (const one of [...this.past, ...this.pastPower, ...this.cross, this.heardPower, this.sentPower])
      one.fill(0)
    this.heard.clear()
    this.sent.clear()
  }
}

/** Cuts a stream into windows that overlap by half, and makes spectra of the telephone's band. */
class Spectra {
  private readonly window = new Float64Array(fftLength)
  private readonly real = new Float64Array(fftLength)
  private readonly imaginary = new Float64Array(fftLength)
  private readonly waiting = new Float64Array(2 * hop)
  private length = 0

  add(samples: Int16Array): void {
    for (const sample of samples) this.waiting[this.length++] = sample / 32_768
  }

  /** @returns real and imaginary parts in turns, or null when there is too little */
  next(): Float64Array | null {
    if (this.length < hop) return null
    this.window.copyWithin(0, hop)
    this.window.set(this.waiting.subarray(0, hop), hop)
    this.waiting.copyWithin(0, hop, this.length)
    this.length -= hop
    for (let index = 0; index < fftLength; index++)
      this.real[index] = (this.window[index] ?? 0) * (hann[index] ?? 0)
    this.imaginary.fill(0)
    transform(this.real, this.imaginary)
    const spectrum = new Float64Array(2 * bins)
    for (let bin = 0; bin < bins; bin++) {
      spectrum[2 * bin] = this.real[firstBin + bin] ?? 0
      spectrum[2 * bin + 1] = this.imaginary[firstBin + bin] ?? 0
    }
    return spectrum
  }

  clear(): void {
    this.length = 0
    this.window.fill(0)
  }
}

function power(spectrum: Float64Array, bin: number): number {
  return (spectrum[2 * bin] ?? 0) ** 2 + (spectrum[2 * bin + 1] ?? 0) ** 2
}

/** Moves an average towards the newest value. @returns where it is then */
function average(averages: Float64Array, index: number, value: number): number {
  const next = (averages[index] ?? 0) * (1 - weight) + value * weight
  averages[index] = next
  return next
}
