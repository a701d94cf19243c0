import { joinedSamples } from '../../../lib/sound/joined-samples.js'
import { Resampler } from '../../../lib/sound/resampler.js'
import { type Rnnoise, type RnnoiseState, rnnoiseLength, rnnoiseRate } from './rnnoise.js'

/** Removes the noise of one stream's utterances while they are spoken. */
export class NoiseReduction {
  private readonly state: RnnoiseState | null
  private up: Resampler
  private down: Resampler
  private waiting: Int16Array = new Int16Array(0)
  /** Input without output yet, with its noise. */
  private noisy: Int16Array = new Int16Array(0)
  private hasGivenUp = false
  /** The rest of the delay: samples at the beginning that are not part of the utterance. */
  private early = 0

  /** @param rate samples a second */
  constructor(
    rnnoise: Rnnoise,
    private readonly rate: number,
  ) {
    this.state = rnnoise.open()
    this.up = new Resampler(rate, rnnoiseRate)
    this.down = new Resampler(rnnoiseRate, rate)
  }

  /** An utterance begins. The stream's noise is known already. */
  begin(): void {
    this.up = new Resampler(this.rate, rnnoiseRate)
    this.down = new Resampler(rnnoiseRate, this.rate)
    this.waiting = this.noisy = new Int16Array(0)
    this.hasGivenUp = false
    this.early = (rnnoiseLength * this.rate) / rnnoiseRate
  }

  /** There is no time for it: the rest of the utterance stays as it is. */
  giveUp(): void {
    this.hasGivenUp = true
  }

  /** @returns what is clean by now: 15 ms are always to come */
  clean(samples: Int16Array): Int16Array {
    const { state } = this
    this.noisy = joinedSamples([this.noisy, samples])
    const output = state && !this.hasGivenUp ? this.cleaned(state, samples) : this.noisy
    this.noisy = this.noisy.slice(output.length)
    return output
  }

  private cleaned(state: RnnoiseState, samples: Int16Array): Int16Array {
    const all = joinedSamples([this.waiting, this.up.push(samples)])
    const whole = all.length - (all.length % rnnoiseLength)
    const cleaned = new Int16Array(whole)
    for (let at = 0; at < whole; at += rnnoiseLength)
      cleaned.set(state.clean(all.subarray(at, at + rnnoiseLength)), at)
    this.waiting = all.slice(whole)
    const output = this.down.push(cleaned)
    const dropped = Math.min(this.early, output.length)
    this.early -= dropped
    return output.subarray(dropped)
  }

  close(): void {
    this.state?.close()
  }
}
