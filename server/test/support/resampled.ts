import { joinedSamples } from '../../src/lib/sound/joined-samples.js'
import { Resampler } from '../../src/lib/sound/resampler.js'

/** A whole recording at another rate. */
export function resampled(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples
  const resampler = new Resampler(from, to)
  return joinedSamples([resampler.push(samples), resampler.end()])
}
