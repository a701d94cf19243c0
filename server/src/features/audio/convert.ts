/**
 * Conversion to what the switch plays: WAV, 16-bit, mono, 8 kHz. Trunks speak G.711, so a higher rate
 * would be resampled down on every call; the switch resamples up for the few that are wider.
 */
import { open } from 'node:fs/promises'
import { invalidField } from '../../infrastructure/http/errors.js'
import { ScriptFailedError, runScript } from './child-process.js'
import type { Lane } from './lanes.js'
import { type Container, type ProbedAudio, inputOf, probe } from './probe.js'

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

/** Limits of an upload. Stereo of ten minutes at 192 kHz has as many samples. */
const maxRate = 192_000
const maxChannels = 8
const maxSamples = maxRate * 2 * maxAudioSeconds

/**
 * Converts a file that somebody sent.
 * @param mayKeep sees the bytes that will be kept before anything is converted, and throws where there is no room for them
 * @throws 400 naming `file` when its content is no WAV, MP3 or Ogg, cannot be decoded, is too long or too much to convert
 */
export async function convertUpload(
  source: string,
  target: string,
  workspaceId: string,
  mayKeep: (bytes: number) => Promise<void> = async () => Promise.resolve(),
): Promise<ConvertedAudio> {
  const container = await containerOf(source)
  if (!container) throw invalidField('file', 'file must be a WAV, MP3 or Ogg audio')
  const probed = await probe(source, container, workspaceId).catch(undecodable)
  if (!probed) throw invalidField('file', 'file holds no audio')
  const problem = problemOf(probed)
  if (problem) throw invalidField('file', `file must not ${problem}`)
  // A file without a length is treated as one of the longest that is allowed.
  await mayKeep(bytesOf(probed.duration ?? maxAudioSeconds))
  const converted = await convert({ source, container, target, workspaceId, lane: 'upload' }).catch(
    undecodable,
  )
  if (converted.duration === 0) throw invalidField('file', 'file holds no audio')
  if (converted.duration > maxAudioSeconds) throw invalidField('file', `file must not ${tooLong}`)
  return converted
}

const tooLong = `be longer than ${maxAudioSeconds} seconds`

/** The problem of the probed audio, to follow "must not". */
function problemOf({ rate, channels, duration }: ProbedAudio): string | undefined {
  if (duration !== null && duration > maxAudioSeconds + 1) return tooLong
  if (rate > maxRate) return `have a sample rate above ${maxRate / 1_000} kHz`
  if (channels > maxChannels) return `have more than ${maxChannels} channels`
  const samples = rate * channels * (duration ?? maxAudioSeconds)
  if (samples > maxSamples) return `have more than ${maxSamples} samples in all its channels together`
  return undefined
}

/** Bytes of a converted file. */
function bytesOf(seconds: number): number {
  return headerBytes + Math.ceil(Math.min(seconds, maxAudioSeconds) * sampleRate) * bytesPerSample
}

function undecodable(error: unknown): never {
  if (!(error instanceof ScriptFailedError) || diskIsFull.test(error.message)) throw error
  throw invalidField('file', 'file cannot be decoded as audio')
}

interface Conversion {
  readonly source: string
  readonly container: Container
  readonly target: string
  readonly workspaceId: string
  readonly lane: Lane
}

/** Converts a file of a known container. @throws {ScriptFailedError} when it cannot be decoded */
export async function convert({
  source,
  container,
  target,
  workspaceId,
  lane,
}: Conversion): Promise<ConvertedAudio> {
  await runScript(
    'ffmpeg',
    [
      ...['-nostdin', '-v', 'error', '-y', '-threads', '1', ...inputOf(container)],
      // One second more than is allowed, to detect longer files.
      ...['-map', '0:a:0', '-vn', '-t', String(maxAudioSeconds + 1), '-map_metadata', '-1', '-threads', '1'],
      ...[
        '-ac',
        '1',
        '-ar',
        String(sampleRate),
        '-c:a',
        'pcm_s16le',
        '-bitexact',
        '-f',
        'wav',
        '/dev/stdout',
      ],
    ],
    { lane, workspaceId, input: { file: source }, output: { file: target } },
  )
  return settle(target)
}

/**
 * Writes a converted file through to the disk, and measures it.
 * @throws if it is incomplete: on a full disk ffmpeg may exit with 0 and write less than the header says
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

/** Detects a container by its first bytes, and not by its name. */
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
