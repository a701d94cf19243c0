/** Quietens what lies between the words of an utterance: a gate, as all of it is there to be looked at. */
import { levelOf } from './level.js'

/** What a gate leaves of noise: -20 dB. Nothing at all would sound like an end. */
const gateGain = 0.1

/** Above the noise: what is louder is speech. */
const aboveNoiseDb = 6

/** A gate closes no nearer to the loudest than this: what never rests has no noise that could be told from it. */
const belowLoudestDb = 20

/** Frames before and after speech that are left alone: soft ends of words. */
const heldFrames = 4

/** @param rate samples a second */
export function withoutNoise(samples: Int16Array, rate: number): Int16Array {
  const length = rate / 50
  const levels = Array.from({ length: Math.ceil(samples.length / length) }, (_, index) =>
    levelOf(samples.subarray(index * length, (index + 1) * length)),
  )
  const threshold = thresholdOf(levels)
  const isOpen = (frame: number) =>
    levels.slice(Math.max(0, frame - heldFrames), frame + heldFrames + 1).some((level) => level > threshold)
  const output = new Int16Array(samples.length)
  let gain = isOpen(0) ? 1 : gateGain
  for (let frame = 0; frame < levels.length; frame++) {
    const step = ((isOpen(frame) ? 1 : gateGain) - gain) / length
    const end = Math.min(samples.length, (frame + 1) * length)
    for (let index = frame * length; index < end; index++) {
      gain += step
      output[index] = Math.round((samples[index] ?? 0) * gain)
    }
  }
  return output
}

/** The quietest tenth of it is taken for the noise. */
function thresholdOf(levels: readonly number[]): number {
  const sorted = [...levels].sort((one, other) => one - other)
  const noise = sorted[Math.floor(sorted.length / 10)] ?? 0
  const loudest = sorted.at(-1) ?? 0
  return Math.min(noise + aboveNoiseDb, loudest - belowLoudestDb)
}
