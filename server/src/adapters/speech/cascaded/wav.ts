/** WAV files: what speech to text is given, and what text to speech may answer with. */
import { SpeechModelError } from '../speech-model.js'

/** 16-bit mono PCM as a file. */
export function wavOf(samples: Int16Array, rate: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)])
}

export function isWav(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF'
}

/**
 * Reads the beginning of a stream that is a WAV file, up to its samples. (Their length is not looked at: a server that
 * streams does not know it yet.)
 * @returns null when more is needed
 * @throws {SpeechModelError} `protocol`: it is no 16-bit mono PCM
 */
export function readWavHeader(bytes: Buffer): { rate: number; dataAt: number } | null {
  let rate = 0
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    if (name === 'data') {
      if (rate === 0)
        throw new SpeechModelError('protocol', 'text to speech answered with a WAV file of no format')
      return { rate, dataAt: at + 8 }
    }
    if (name === 'fmt ') {
      if (at + 24 > bytes.length) return null
      rate = rateOf(bytes.subarray(at + 8, at + 24))
    }
    at += 8 + length + (length % 2)
  }
  return null
}

/** PCM is 1; 0xfffe (extensible) is it too where somebody answers with 16 bits. */
function rateOf(format: Buffer): number {
  const [coding, channels, bits] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt16LE(14)]
  if ((coding === 1 || coding === 0xfffe) && channels === 1 && bits === 16) return format.readUInt32LE(4)
  throw new SpeechModelError(
    'protocol',
    `text to speech answered with a WAV file that is not 16-bit mono PCM (format ${coding}, ${channels} channels, ${bits} bits)`,
  )
}
