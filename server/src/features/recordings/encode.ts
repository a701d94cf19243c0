/** Makes what is kept out of what the switch wrote. */
import { open } from 'node:fs/promises'
import { runScript } from '../audio/child-process.js'
import type { Recording } from './recording.entity.js'
import type { RawAudio } from './raw-files.js'

/** Telephones reach 4 kHz, wideband ones 8: nothing above is worth its room. */
const maxRate = 16_000

const mp3BitsPerChannel = 32_000

/** A recording of two hours takes a minute on an idle machine. */
const deadlineMs = 600_000

/**
 * Converts a raw recording, and writes it through to the disk.
 * @returns its bytes
 * @throws {ScriptFailedError} when it cannot be decoded
 */
export async function encode(
  raw: RawAudio,
  target: string,
  { workspace_id: workspaceId, format, channels }: Pick<Recording, 'workspace_id' | 'format' | 'channels'>,
): Promise<number> {
  const rate = Math.min(raw.rate, maxRate)
  const bitRate = format === 'mp3' ? mp3BitsPerChannel * channels : rate * 16 * channels
  const codec = format === 'mp3' ? ['-c:a', 'libmp3lame', '-b:a', String(bitRate)] : ['-c:a', 'pcm_s16le']
  await runScript(
    'ffmpeg',
    [
      ...['-nostdin', '-v', 'error', '-y', '-threads', '1', '-protocol_whitelist', 'file'],
      // The length in the header is missing or wrong if the file's writer died.
      ...[
        '-ignore_length',
        '1',
        '-f',
        'wav',
        '-i',
        '/dev/stdin',
        '-map',
        '0:a:0',
        '-vn',
        '-map_metadata',
        '-1',
      ],
      ...['-threads', '1', '-ac', String(channels), '-ar', String(rate), ...codec],
      ...['-bitexact', '-f', format, '/dev/stdout'],
    ],
    { lane: 'recording', workspaceId, input: { file: raw.path }, output: { file: target }, deadlineMs },
  )
  const size = await sizeOf(target)
  // On a full disk ffmpeg may end with 0 all the same.
  if (size < 0.9 * (raw.duration / 1000) * (bitRate / 8)) {
    throw new Error(`${target} is not whole: is the disk full?`)
  }
  return size
}

async function sizeOf(path: string): Promise<number> {
  const file = await open(path, 'r')
  try {
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}
