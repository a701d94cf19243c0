/**
 * Conversion to what the switch plays: WAV, 16-bit, mono, 8 kHz. Trunks speak G.711, so a higher rate
 * would be resampled down on every call; the switch resamples up for the few that are wider.
 */
import { open } from 'node:fs/promises'
import { invalidField } from '../http/errors.js'
import { ProgramFailedError, runProgram } from './child-process.js'

/** Longest audio, in seconds. */
export const maxAudioSeconds = 600

const sampleRate = 8_000
const bytesPerSample = 2
const headerBytes = 44

const diskIsFull = /No space left on device|Disk quota exceeded/

/** Seconds and bytes of a converted file. */
export interface ConvertedAudio {
  duration: number
  size: number
}

type Container = 'wav' | 'mp3' | 'ogg'

/**
 * Converts a file that somebody sent.
 * @throws 400 naming `file` when its content is no WAV, MP3 or Ogg, cannot be decoded or is too long
 */
export async function convertUpload(source: string, target: string): Promise<ConvertedAudio> {
  const container = await containerOf(source)
  if (!container) throw invalidField('file', 'file must be a WAV, MP3 or Ogg audio')
  const converted = await convert(source, container, target).catch((error: unknown) => {
    if (!(error instanceof ProgramFailedError) || diskIsFull.test(error.message)) throw error
    throw invalidField('file', 'file cannot be decoded as audio')
  })
  if (converted.duration === 0) throw invalidField('file', 'file holds no audio')
  if (converted.duration > maxAudioSeconds) {
    throw invalidField('file', `file must not be longer than ${maxAudioSeconds} seconds`)
  }
  return converted
}

/** Converts a file of a known container. @throws {ProgramFailedError} when it cannot be decoded */
export async function convert(source: string, container: Container, target: string): Promise<ConvertedAudio> {
  await runProgram('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-y', '-protocol_whitelist', 'file', '-f', container, '-i', source],
    // One second more than is allowed tells a longer file from one that is just long enough.
    ...['-map', '0:a:0', '-vn', '-t', String(maxAudioSeconds + 1), '-map_metadata', '-1'],
    ...['-ac', '1', '-ar', String(sampleRate), '-c:a', 'pcm_s16le', '-bitexact', '-f', 'wav', target],
  ])
  return settle(target)
}

/**
 * Writes a converted file through to the disk, and measures it.
 * @throws when it is not whole: on a full disk ffmpeg may end with 0 and leave less than the header tells
 */
export async function settle(path: string): Promise<ConvertedAudio> {
  const file = await open(path, 'r')
  try {
    await file.sync()
    const { size } = await file.stat()
    const header = Buffer.alloc(headerBytes)
    await file.read(header as Uint8Array, 0, headerBytes, 0)
    const dataBytes = header.readUInt32LE(headerBytes - 4)
    if (size !== headerBytes + dataBytes) throw new Error(`${path} is not whole: is the disk full?`)
    return { size, duration: dataBytes / (sampleRate * bytesPerSample) }
  } finally {
    await file.close()
  }
}

/** Tells a container by its first bytes, whatever its name says. */
async function containerOf(path: string): Promise<Container | null> {
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(12)
    await file.read(head as Uint8Array, 0, head.length, 0)
    const tag = (from: number, to: number) => head.toString('latin1', from, to)
    if (tag(0, 4) === 'RIFF' && tag(8, 12) === 'WAVE') return 'wav'
    if (tag(0, 4) === 'OggS') return 'ogg'
    const frameSync = head.readUInt8(0) === 0xff && (head.readUInt8(1) & 0xe0) === 0xe0
    return tag(0, 3) === 'ID3' || frameSync ? 'mp3' : null
  } finally {
    await file.close()
  }
}
