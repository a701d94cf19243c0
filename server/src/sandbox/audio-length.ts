/** How long FreeSWITCH would play something, in milliseconds. */
import { closeSync, openSync, readSync } from 'node:fs'

/**
 * @param source a WAV file's absolute path, `tone_stream://…` or `silence_stream://ms`
 * @returns Infinity for an endless tone, undefined when there is nothing that can be played
 */
export function audioLength(source: string): number | undefined {
  const plain = source.replace(/^\{[^}]*\}/, '').trim()
  if (plain.startsWith('silence_stream://')) {
    const ms = Number(/^-?\d+/.exec(plain.slice('silence_stream://'.length))?.[0] ?? NaN)
    if (Number.isNaN(ms)) return undefined
    return ms < 0 ? Infinity : ms
  }
  if (plain.startsWith('tone_stream://')) return toneLength(plain.slice('tone_stream://'.length))
  return plain.startsWith('/') ? wavLength(plain) : undefined
}

/** TGML: `%(on ms,off ms,Hz…)` again and again; `L=` repeats within, `;loops=` all of it. */
function toneLength(tones: string): number | undefined {
  let once = 0
  for (const [, on, off] of tones.matchAll(/%\((\d+),(\d+)(?:,[^)]*)?\)/g)) once += Number(on) + Number(off)
  if (once === 0) return undefined
  const within = Number(/(?:^|;)L=(\d+)/.exec(tones)?.[1] ?? 1)
  const loops = Number(/;loops=(-?\d+)/.exec(tones)?.[1] ?? 1)
  return loops < 0 ? Infinity : once * Math.max(1, within) * Math.max(1, loops)
}

/** Reads the chunks of a RIFF file: bytes of sound over bytes a second. */
function wavLength(path: string): number | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const head = Buffer.alloc(12)
    if (readSync(file, head, 0, 12, 0) < 12) return undefined
    if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE')
      return undefined
    const chunk = Buffer.alloc(20)
    let bytesASecond = 0
    // A file's chunks are few; the bound keeps a hostile file from holding the process.
    for (let at = 12, chunks = 0; chunks < 100; chunks++) {
      if (readSync(file, chunk, 0, 20, at) < 8) return undefined
      const kind = chunk.toString('latin1', 0, 4)
      const size = chunk.readUInt32LE(4)
      if (kind === 'fmt ') bytesASecond = chunk.readUInt32LE(16)
      if (kind === 'data') return bytesASecond > 0 ? Math.round((size * 1000) / bytesASecond) : undefined
      at += 8 + size + (size % 2)
    }
    return undefined
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}
