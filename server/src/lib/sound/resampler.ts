/** Zero crossings of the filter on either side of a sample: what is beyond the band is 60 dB down and more. */
const crossings = 16

const defaultPassed = 0.92

/** Filters that were made, by their rates. */
const filters = new Map<string, Float64Array[]>()

/**
 * Changes the rate of a stream of samples: a windowed sinc, one filter for each place that an output sample has between
 * two input samples (https://ccrma.stanford.edu/~jos/resample/). Rates of audio only: the number of filters is that of
 * `to` over their greatest common divisor.
 */
export class Resampler {
  private readonly up: number
  private readonly down: number
  /** Input samples on either side that one output sample is made of. */
  private readonly reach: number
  private readonly filters: readonly Float64Array[]
  /** Input samples that are needed still. */
  private kept: Int16Array
  /** Position of the next output sample, from the first stored one, in steps of 1/up of an input sample. */
  private position: number

  /** @param passed where the band ends, as a part of half the smaller rate: the rest is for the filter to fall in */
  constructor(from: number, to: number, passed = defaultPassed) {
    const divisor = commonDivisor(from, to)
    this.up = to / divisor
    this.down = from / divisor
    const band = Math.min(1, to / from)
    this.reach = Math.ceil(crossings / band)
    const name = `${from}-${to}-${passed}`
    this.filters = filters.get(name) ?? filtersOf(this.up, this.reach, band * passed)
    filters.set(name, [...this.filters])
    this.kept = new Int16Array(this.reach)
    this.position = this.reach * this.up
  }

  /** @returns the output that is final by now: `crossings` samples are always held back */
  push(samples: Int16Array): Int16Array {
    const input = new Int16Array(this.kept.length + samples.length)
    input.set(this.kept)
    input.set(samples, this.kept.length)
    const last = (input.length - this.reach) * this.up
    const output = new Int16Array(Math.max(0, Math.ceil((last - this.position) / this.down)))
    for (let index = 0; index < output.length; index++) {
      const at = Math.floor(this.position / this.up)
      const filter = this.filters[this.position - at * this.up] ?? []
      let sum = 0
      for (let tap = 0, from = at - this.reach + 1; tap < filter.length; tap++)
        sum += (filter[tap] ?? 0) * (input[from + tap] ?? 0)
      output[index] = Math.max(-32768, Math.min(32767, Math.round(sum)))
      this.position += this.down
    }
    const done = Math.max(0, Math.floor(this.position / this.up) - this.reach)
    this.kept = input.slice(done)
    this.position -= done * this.up
    return output
  }

  /** The rest: nothing can be pushed any more. */
  end(): Int16Array {
    return this.push(new Int16Array(this.reach))
  }
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other)
}

/** @param band the part of the input's band that is let through */
function filtersOf(phases: number, reach: number, band: number): Float64Array[] {
  return Array.from({ length: phases }, (_, phase) => {
    const filter = Float64Array.from({ length: 2 * reach }, (__, tap) => {
      const distance = tap - reach + 1 - phase / phases
      return band * sinc(band * distance) * window(distance / reach)
    })
    const sum = filter.reduce((total, weight) => total + weight, 0)
    return filter.map((weight) => weight / sum)
  })
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
}

/** Blackman's, from -1 to 1. */
function window(x: number): number {
  if (Math.abs(x) >= 1) return 0
  return 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x)
}
