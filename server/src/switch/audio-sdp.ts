/** The switch's offer of raw audio and our answer to it (RFC 4566, RFC 3264). */
import type { SampleRate } from './raw-audio.js'

/** Where the switch takes sound, and as what. */
export interface AudioOffer {
  host: string
  port: number
  /** RTP payload type of L16 at `sampleRate`. */
  payloadType: number
  sampleRate: SampleRate
}

const rates: readonly number[] = [8000, 16000, 24000]

/** @returns null when no raw audio of a rate that we speak is offered */
export function readAudioOffer(sdp: string): AudioOffer | null {
  const [, port, types = ''] = /^m=audio (\d{1,5}) RTP\/AVP ([\d ]+)/m.exec(sdp) ?? []
  const [, host] = /^c=IN IP4 ([\d.]+)/m.exec(sdp) ?? []
  for (const type of types.split(' ')) {
    const [, rate] = new RegExp(`^a=rtpmap:${type} L16/(\\d+)\\s*$`, 'm').exec(sdp) ?? []
    if (!rate || !rates.includes(Number(rate)) || !host) continue
    return { host, port: Number(port), payloadType: Number(type), sampleRate: Number(rate) as SampleRate }
  }
  return null
}

/** @param port where we take sound on 127.0.0.1 */
export function audioAnswer({ payloadType, sampleRate }: AudioOffer, port: number): string {
  return [
    'v=0',
    'o=jackfield 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP ${payloadType}`,
    `a=rtpmap:${payloadType} L16/${sampleRate}`,
    'a=ptime:20',
    '',
  ].join('\r\n')
}
