/** Tones: how a test makes sure who hears whom. */

/** One second and more of a sine wave, 16-bit PCM. */
export function tone(hz: number, samples: number, rate = 8000, amplitude = 8000, from = 0): Int16Array {
  const pcm = new Int16Array(samples)
  if (amplitude === 0) return pcm
  for (let index = 0; index < samples; index++)
    pcm[index] = Math.round(amplitude * Math.sin((2 * Math.PI * hz * (from + index)) / rate))
  return pcm
}

/**
 * How much of what is heard is this tone (Goertzel): 1 a pure tone, 0 none of it or silence. Measured in blocks of
 * 50 ms, since lost packets break a tone's phase; blocks of silence do not count.
 */
export function toneLevel(pcm: Int16Array, hz: number, rate = 8000): number {
  return meanLevel(pcm, hz, rate, Math.round(rate / 20))
}

function meanLevel(pcm: Int16Array, hz: number, rate: number, length: number): number {
  const levels: number[] = []
  for (let start = 0; start + length <= pcm.length; start += length) {
    const level = blockLevel(pcm.subarray(start, start + length), hz, rate)
    if (level >= 0) levels.push(level)
  }
  return levels.length === 0 ? 0 : levels.reduce((sum, level) => sum + level, 0) / levels.length
}

/** -1: silence. */
function blockLevel(block: Int16Array, hz: number, rate: number): number {
  let energy = 0
  for (let at = 0; at < block.length; at++) energy += block[at]! * block[at]!
  if (energy / block.length <= 100 * 100) return -1
  return (2 * power(block, hz, rate)) / (block.length * energy)
}

/**
 * The same frame by frame, of 20 ms, from the first frame that is this tone. A sender that was late leaves gaps of whole
 * frames: in blocks of 50 ms they break the tone's phase, in frames they are silence, which does not count.
 */
export function toneLevelInFrames(pcm: Int16Array, hz: number, rate = 8000): number {
  const length = rate / 50
  for (let start = 0; start + length <= pcm.length; start += length) {
    if (blockLevel(pcm.subarray(start, start + length), hz, rate) < 0.9) continue
    return meanLevel(pcm.subarray(start), hz, rate, length)
  }
  return 0
}

/** Of what is heard at 8 kHz, how much lies in each band of 250 Hz: speech is in many of them, tones are in few. */
export function bandLevels(pcm: Int16Array): number[] {
  // All the frequencies that blocks of 50 ms have.
  const levels = Array.from({ length: 200 }, (_, index) => toneLevel(pcm, 20 * index))
  return Array.from({ length: 16 }, (_, band) =>
    levels
      .slice(Math.round(band * 12.5), Math.round((band + 1) * 12.5))
      .reduce((sum, level) => sum + level, 0),
  )
}

function power(block: Int16Array, hz: number, rate: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / rate)
  let last = 0
  let beforeLast = 0
  for (let at = 0; at < block.length; at++) {
    const next = block[at]! + coefficient * last - beforeLast
    beforeLast = last
    last = next
  }
  return last * last + beforeLast * beforeLast - coefficient * last * beforeLast
}

/** The two tones of each key of a telephone, in Hz (ITU-T Q.23). */
export function keyTones(key: string): readonly [number, number] {
  const place = '123A456B789C*0#D'.indexOf(key)
  return [[697, 770, 852, 941][Math.floor(place / 4)]!, [1209, 1336, 1477, 1633][place % 4]!]
}

/** Keys as tones, at 8 kHz: each is heard for a time, and then there is silence for as long. */
export function keysAsTones(keys: string, ms = 100): Int16Array {
  const samples = 8 * ms
  const key = (pair: readonly number[]) => {
    const [low, high] = pair.map((hz) => tone(hz, samples, 8000, 5000))
    return [...low!.map((sample, at) => sample + high![at]!), ...new Int16Array(samples)]
  }
  return Int16Array.from([...keys].flatMap((one) => key(keyTones(one))))
}

/** A description of media without events for keys. */
export const withoutEvents = (sdp: string) =>
  sdp.replace(' 0 101', ' 0').replace(/a=(rtpmap|fmtp):101 .*\r\n/g, '')

/** Encodes one sample as G.711 µ-law (PCMU). */
export function encodeMulaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(32635, Math.abs(sample)) + 132
  const exponent = 31 - Math.clz32(magnitude) - 7
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 15)) & 255
}

/** Each byte of G.711 µ-law (PCMU), decoded. */
const decoded = Int16Array.from({ length: 256 }, (_, byte) => {
  const bits = ~byte & 255
  const magnitude = (((bits & 15) << 3) + 132) << ((bits >> 4) & 7)
  return bits & 0x80 ? 132 - magnitude : magnitude - 132
})

/** Decodes one byte of G.711 µ-law (PCMU). */
export function decodeMulaw(byte: number): number {
  return decoded[byte & 255]!
}

/** Decodes G.711 µ-law (PCMU). */
export function pcmOf(encoded: Uint8Array): Int16Array {
  const pcm = new Int16Array(encoded.length)
  for (let at = 0; at < encoded.length; at++) pcm[at] = decoded[encoded[at]!]!
  return pcm
}

/** Encodes as G.711 µ-law (PCMU). */
export function mulawOf(pcm: Int16Array): Buffer {
  const encoded = Buffer.allocUnsafe(pcm.length)
  for (let at = 0; at < pcm.length; at++) encoded[at] = encodeMulaw(pcm[at]!)
  return encoded
}
