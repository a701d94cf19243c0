/** The discrete Fourier transform of 256 real samples, in place: radix 2, with its tables made once. */
export const fftLength = 256

const reversed = Uint8Array.from({ length: fftLength }, (_, index) => {
  let bits = 0
  for (let bit = 0; bit < 8; bit++) bits |= ((index >> bit) & 1) << (7 - bit)
  return bits
})
const cosines = Float64Array.from({ length: fftLength / 2 }, (_, index) =>
  Math.cos((2 * Math.PI * index) / fftLength),
)
const sines = Float64Array.from({ length: fftLength / 2 }, (_, index) =>
  Math.sin((2 * Math.PI * index) / fftLength),
)

/** @param real samples in, real parts out @param imaginary zeros in, imaginary parts out */
export function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let index = 0; index < fftLength; index++) {
    const other = reversed[index] ?? 0
    if (other <= index) continue
    const kept = real[index] ?? 0
    real[index] = real[other] ?? 0
    real[other] = kept
  }
  for (let size = 2; size <= fftLength; size *= 2) {
    const half = size / 2
    const step = fftLength / size
    for (let start = 0; start < fftLength; start += size) {
      for (let at = 0; at < half; at++) {
        const cosine = cosines[at * step] ?? 0
        const sine = sines[at * step] ?? 0
        const low = start + at
        const high = low + half
        const a = real[high] ?? 0
        const b = imaginary[high] ?? 0
        const re = a * cosine + b * sine
        const im = b * cosine - a * sine
        real[high] = (real[low] ?? 0) - re
        imaginary[high] = (imaginary[low] ?? 0) - im
        real[low] = (real[low] ?? 0) + re
        imaginary[low] = (imaginary[low] ?? 0) + im
      }
    }
  }
}
