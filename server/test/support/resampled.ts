import { Resampler } from '../../src/media/resampler.js'

/** A whole recording at another rate. */
export function resampled(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples
  const resampler = new Resampler(from, to)
  const first = resampler.push(samples)
  const rest = resampler.end()
  const output = new Int16Array(first.length + rest.length)
  output.set(first)
  output.set(rest, first.length)
  return output
}
