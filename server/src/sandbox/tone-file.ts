/** WAV files of a tone: 8 kHz, 16 bits, with stretches of silence. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const RATE = 8000
const HZ = 400
const AMPLITUDE = 8000

/** One period, so that every block of whole periods joins the next without a click. */
const PERIOD = Array.from({ length: RATE / HZ }, (_, index) =>
  Math.round(AMPLITUDE * Math.sin((2 * Math.PI * index * HZ) / RATE)),
)

/**
 * Writes a file, and the folders above it.
 * @param channels with two the tone is on the left one
 * @param silent stretches without the tone, in milliseconds
 * @returns its size in bytes, 0 when it could not be written
 */
export function writeToneFile(
  path: string,
  ms: number,
  channels: 1 | 2,
  silent: readonly { from: number; to: number }[],
): number {
  const bytes = ms * (RATE / 1000) * channels * 2
  try {
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(path, 'w')
    try {
      writeSync(file, header(bytes, channels))
      for (let at = 0; at < ms; at += 1000)
        writeSync(file, samples(at, Math.min(1000, ms - at), channels, silent))
    } finally {
      closeSync(file)
    }
    return 44 + bytes
  } catch (error) {
    console.error(`sandbox: the recording ${path} cannot be written: ${String(error)}`)
    return 0
  }
}

function samples(
  from: number,
  ms: number,
  channels: 1 | 2,
  silent: readonly { from: number; to: number }[],
): Buffer {
  const perMs = RATE / 1000
  const block = Buffer.alloc(ms * perMs * channels * 2)
  for (let index = 0; index < ms * perMs; index++) {
    const at = from + index / perMs
    if (silent.some((stretch) => at >= stretch.from && at < stretch.to)) continue
    block.writeInt16LE(PERIOD[index % PERIOD.length] ?? 0, index * channels * 2)
  }
  return block
}

function header(bytes: number, channels: 1 | 2): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + bytes, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * channels * 2, 28)
  head.writeUInt16LE(channels * 2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(bytes, 40)
  return head
}
