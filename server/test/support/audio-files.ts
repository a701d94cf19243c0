/** Audio files and uploads for tests. */
import { tone } from './tone.js'

/** A WAV file with a tone: 16-bit, mono unless told otherwise. */
export function wavFile(hz: number, seconds: number, { rate = 16_000, channels = 1 } = {}): Buffer {
  const samples = tone(hz, Math.round(seconds * rate), rate)
  const data = Buffer.alloc(samples.length * channels * 2)
  samples.forEach((sample, index) => {
    for (let channel = 0; channel < channels; channel++) {
      data.writeInt16LE(sample, (index * channels + channel) * 2)
    }
  })
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}

/** The samples of a 16-bit WAV file with the plain header. */
export function samplesOf(wav: Buffer): Int16Array {
  const data = wav.subarray(44)
  return Int16Array.from({ length: Math.floor(data.length / 2) }, (_, index) => data.readInt16LE(index * 2))
}

/** A multipart/form-data body with text fields and one file. */
export function multipart(
  fields: Record<string, string>,
  file: { name: string; content: Buffer; field?: string; type?: string },
): { type: string; content: Buffer } {
  const boundary = 'boundary-of-the-tests'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${file.field ?? 'file'}"; filename="${file.name}"\r\nContent-Type: ${file.type ?? 'audio/wav'}\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([
      Buffer.from(parts.join('') + head),
      file.content,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}
