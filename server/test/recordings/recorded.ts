/** What tests ask of recordings: whether they are ready, and what is heard in them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ApiClient, eventually } from '../support/api-client.js'
import { multipart, wavFile } from '../support/audio-files.js'

export interface RecordingBody {
  id: string
  call_id: string
  kind: 'call' | 'voicemail'
  status: string
  format: 'wav' | 'mp3'
  channels: number
  duration: number | null
  size: number | null
  error: string | null
}

/** Channels of a recording, 8 kHz. */
export interface Sound {
  readonly channels: readonly Int16Array[]
  readonly seconds: number
}

export const rate = 8_000

export async function recordingsOf(api: ApiClient, callId: string): Promise<RecordingBody[]> {
  return (await api.get(`/calls/${callId}/recordings`)).body.data as RecordingBody[]
}

/** The one recording of a call, once it has a status. */
export async function recordingIs(
  api: ApiClient,
  callId: string,
  status: string,
  withinMs = 20_000,
): Promise<RecordingBody> {
  const [recording, ...others] = await eventually(
    async () => recordingsOf(api, callId),
    (list) => list.some((one) => one.status === status),
    { withinMs, what: `${status} recording` },
  )
  if (!recording || others.length > 0) throw new Error(`${1 + others.length} recordings`)
  return recording
}

/** Downloads a recording, and takes it apart. */
export async function soundOf(api: ApiClient, { id, channels }: RecordingBody): Promise<Sound> {
  const { status, body } = await api.get(`/recordings/${id}/content`)
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  const folder = await mkdtemp(join(tmpdir(), 'jackfield-recorded-'))
  try {
    const [source, target] = [join(folder, 'content'), join(folder, 'content.raw')]
    await writeFile(source, body as Buffer)
    // Its own words on how many channels there are, not ours.
    const plain = ['-v', 'error', '-i', source, '-ar', String(rate), '-f', 's16le', target]
    await promisify(execFile)('ffmpeg', plain)
    const data = await readFile(target)
    const frames = Math.floor(data.length / (2 * channels))
    const channel = (index: number) =>
      Int16Array.from({ length: frames }, (_, frame) => data.readInt16LE(2 * (frame * channels + index)))
    return {
      channels: Array.from({ length: channels }, (_, index) => channel(index)),
      seconds: frames / rate,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Seconds of the longest stretch in which a channel is silent. */
export function longestSilence(pcm: Int16Array): number {
  const block = rate / 50
  let [longest, length] = [0, 0]
  for (let at = 0; at + block <= pcm.length; at += block) {
    const isSilent = pcm.subarray(at, at + block).every((sample) => Math.abs(sample) < 50)
    length = isSilent ? length + block : 0
    longest = Math.max(longest, length)
  }
  return longest / rate
}

/** Uploads an audio with a tone; returns its id. */
export async function uploadTone(api: ApiClient, hz: number, seconds: number): Promise<string> {
  const raw = multipart({ title: `${hz} Hz` }, { name: 'tone.wav', content: wavFile(hz, seconds) })
  const { status, body } = await api.request('POST', '/audios', { raw })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id as string
}
