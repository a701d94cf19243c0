/** Tones in G.711 µ-law at 8 kHz, and the share of one frequency in a signal. */

const RATE = 8000
const BIAS = 0x84
const LOUDEST = 32_635

/** 20 ms, the usual packet time of phones. */
export const SAMPLES_A_PACKET = 160

/**
 * @param {number} hz
 * @param {number} from number of the first sample
 * @returns {Buffer} one packet's µ-law
 */
export function toneBytes(hz, from) {
  const bytes = Buffer.alloc(SAMPLES_A_PACKET)
  for (let index = 0; index < SAMPLES_A_PACKET; index += 1)
    bytes[index] = encode(Math.round(8000 * Math.sin((2 * Math.PI * hz * (from + index)) / RATE)))
  return bytes
}

/** G.711 µ-law. @param {number} sample 16 bits */
function encode(sample) {
  const sign = sample < 0 ? 0x80 : 0
  const size = Math.min(LOUDEST, Math.abs(sample)) + BIAS
  const exponent = Math.max(0, 31 - Math.clz32(size) - 7)
  return ~(sign | (exponent << 4) | ((size >> (exponent + 3)) & 0x0f)) & 0xff
}

/** @param {Buffer} bytes µ-law @returns {number[]} samples of 16 bits */
export function decoded(bytes) {
  return [...bytes].map((byte) => {
    const code = ~byte & 0xff
    const size = ((((code & 0x0f) << 3) + BIAS) << ((code >> 4) & 7)) - BIAS
    return code & 0x80 ? -size : size
  })
}

/** @param {Buffer} file WAV with 16 bits and one channel @returns {number[]} */
export function samplesOfWav(file) {
  const data = file.indexOf('data')
  if (data < 0) return []
  const sound = file.subarray(data + 8)
  return Array.from({ length: sound.length >> 1 }, (_, index) => sound.readInt16LE(2 * index))
}

/**
 * Goertzel filter over the loudest second: silence before and after the tone does not count.
 * @param {number[]} samples at 8 kHz
 * @param {number} hz
 * @returns {number} the share of the sound's power that is this frequency, 0 to 1
 */
export function shareOf(samples, hz) {
  let best = 0
  for (let from = 0; from + RATE / 2 <= samples.length; from += RATE / 4)
    best = Math.max(best, shareIn(samples.slice(from, from + RATE), hz))
  return best
}

/** @param {number[]} samples @param {number} hz */
function shareIn(samples, hz) {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / RATE)
  let [one, two, power] = [0, 0, 0]
  for (const sample of samples) {
    ;[one, two] = [sample + factor * one - two, one]
    power += sample * sample
  }
  // below line noise counts as silence
  if (power / samples.length < 2500) return 0
  return (2 * (one * one + two * two - factor * one * two)) / (power * samples.length)
}
