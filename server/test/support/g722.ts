/** G.722 for test phones, by ffmpeg: 16 kHz in 64 kbit/s. */
import { execFileSync } from 'node:child_process'
import { eventually } from './api-client.js'
import type { PhoneDialog } from './phone-dialog.js'
import { tone, toneLevel } from './tone.js'

export const wideRate = 16_000

/** RTP payload type (RFC 3551), and clock: 8,000 Hz, though there are 16,000 samples a second. */
export const g722Type = 9

/** A second of a tone, encoded. */
export function wideTone(hz: number): Buffer {
  const pcm = tone(hz, wideRate, wideRate)
  return ffmpeg(['s16le', '-ar', String(wideRate)], ['g722'], Buffer.from(pcm.buffer))
}

/** What was heard, at 16 kHz. */
export function decodeG722(sound: Buffer): Int16Array {
  const pcm = ffmpeg(['g722'], ['s16le'], sound)
  return new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength))
}

/** Waits until a test phone with G.722 hears a tone. */
export async function hearsWide({ phone, media }: PhoneDialog, hz: number): Promise<void> {
  await eventually(
    async () =>
      toneLevel(decodeG722(phone.ear.encoded(media!.host, media!.port).subarray(-4_000)), hz, wideRate),
    (level) => level > 0.9,
    { what: `${hz} Hz` },
  )
}

/** Describes G.722 in place of PCMU. */
export const g722Alone = (sdp: string) =>
  sdp.replace('RTP/AVP 0 101', 'RTP/AVP 9 101').replace('a=rtpmap:0 PCMU/8000', 'a=rtpmap:9 G722/8000')

function ffmpeg(input: readonly string[], output: readonly string[], sound: Buffer): Buffer {
  const args = ['-v', 'error', '-f', ...input, '-i', 'pipe:0', '-f', ...output, 'pipe:1']
  return execFileSync('ffmpeg', args, { input: sound, maxBuffer: 1e8 })
}
