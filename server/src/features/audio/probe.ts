/** Reads a file's audio properties before it is converted. */
import { runScript } from './child-process.js'

export type Container = 'wav' | 'mp3' | 'ogg'

/** Decoders that may see what somebody sent (`ffmpeg -decoders`). */
const decoders: Record<Container, string> = {
  wav: 'pcm_s16le,pcm_s24le,pcm_s32le,pcm_u8,pcm_f32le,pcm_f64le,pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav,gsm_ms,mp3,mp3float',
  mp3: 'mp3,mp3float',
  ogg: 'vorbis,libvorbis,opus,libopus,flac,speex,libspeex',
}

/** Pictures in tags: ffprobe gives up where it may not open them. */
const pictures = 'png,mjpeg,bmp,gif,tiff,webp'

/** Arguments of ffmpeg and ffprobe for the file that is their standard input. */
export function inputOf(container: Container, more = ''): string[] {
  const only = ['-protocol_whitelist', 'file', '-codec_whitelist', decoders[container] + more]
  return [...only, '-f', container, '-i', '/dev/stdin']
}

export interface ProbedAudio {
  /** Samples a second of one channel. */
  readonly rate: number
  readonly channels: number
  /** Seconds; null if the file does not say. */
  readonly duration: number | null
}

const deadlineMs = 10_000

/** @throws {ScriptFailedError} when it is no such file; null when it has no audio */
export async function probe(
  file: string,
  container: Container,
  workspaceId: string,
): Promise<ProbedAudio | null> {
  const shown = 'stream=sample_rate,channels,duration:format=duration'
  const printed = await runScript(
    'ffprobe',
    [
      '-v',
      'error',
      '-select_streams',
      'a:0',
      '-show_entries',
      shown,
      '-of',
      'json',
      ...inputOf(container, `,${pictures}`),
    ],
    { lane: 'upload', workspaceId, input: { file }, deadlineMs },
  )
  const { streams = [], format = {} } = JSON.parse(printed) as {
    streams?: { sample_rate?: string; channels?: number; duration?: string }[]
    format?: { duration?: string }
  }
  const [stream] = streams
  if (!stream) return null
  const duration = Number(stream.duration ?? format.duration)
  return {
    rate: Number(stream.sample_rate ?? 0),
    channels: stream.channels ?? 0,
    duration: Number.isFinite(duration) ? duration : null,
  }
}
