/** Reads a stored recording as samples. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { runScript } from '../audio/child-process.js'

const deadlineMs = 300_000

/**
 * @param content a WAV or MP3 file
 * @param options `rate` of the samples, per second; `seconds` that are read at most: they are held in memory
 * @returns mono
 * @throws {ScriptFailedError} when it cannot be decoded
 */
export async function decode(
  content: Readable,
  { workspaceId, rate, seconds }: { workspaceId: string; rate: number; seconds: number },
): Promise<Int16Array> {
  const folder = await mkdtemp(join(tmpdir(), 'jackfield-'))
  try {
    const [file, decoded] = [join(folder, 'recording'), join(folder, 'samples')]
    await pipeline(content, createWriteStream(file))
    const safely = ['-nostdin', '-v', 'error', '-threads', '1', '-protocol_whitelist', 'file']
    const format = ['-t', String(seconds), '-ac', '1', '-ar', String(rate), '-f', 's16le']
    const output = ['-map', '0:a:0', ...format, '-y', '/dev/stdout']
    await runScript('ffmpeg', [...safely, '-i', '/dev/stdin', ...output], {
      ...{ lane: 'recording', workspaceId, deadlineMs },
      ...{ input: { file }, output: { file: decoded } },
    })
    const bytes = await readFile(decoded)
    return new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
