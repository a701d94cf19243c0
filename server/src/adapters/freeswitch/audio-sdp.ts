/** The switch's offer of raw audio and our answer to it (RFC 4566, RFC 3264). */
import { isIP } from 'node:net'
import type { SampleRate } from '../../lib/sound/sample-rate.js'

/** Where the switch takes sound, and as what. */
export interface AudioOffer {
  /** An IPv4 or IPv6 address of this machine: the one to which the switch has carriers send RTP, too. */
  host: string
  port: number
  /** RTP payload type of L16 at `sampleRate`. */
  payloadType: number
  sampleRate: SampleRate
}

const rates: readonly number[] = [8000, 16000, 24000]

/** @returns null when no raw audio of a rate that we speak is offered, or no address */
export function readAudioOffer(sdp: string): AudioOffer | null {
  const [, port, types = ''] = /^m=audio (\d{1,5}) RTP\/AVP ([\d ]+)/m.exec(sdp) ?? []
  const [, version, host = ''] = /^c=IN IP([46]) (\S+)/m.exec(sdp) ?? []
  if (isIP(host) !== Number(version) || !(Number(port) > 0 && Number(port) < 65_536)) return null
  for (const type of types.split(' ')) {
    const [, rate] = new RegExp(`^a=rtpmap:${type} L16/(\\d+)\\s*$`, 'm').exec(sdp) ?? []
    if (!rate || !rates.includes(Number(rate))) continue
    return { host, port: Number(port), payloadType: Number(type), sampleRate: Number(rate) as SampleRate }
  }
  return null
}

/** The address of this machine at which sound is taken from the switch's. */
export function loopbackFor({ host }: Pick<AudioOffer, 'host'>): string {
  return isIP(host) === 6 ? '::1' : '127.0.0.1'
}

/** @param port where we take sound at {@link loopbackFor} it */
export function audioAnswer({ host, payloadType, sampleRate }: AudioOffer, port: number): string {
  const address = `IN IP${isIP(host)} ${loopbackFor({ host })}`
  return [
    'v=0',
    `o=jackfield 1 1 ${address}`,
    's=-',
    `c=${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${payloadType}`,
    `a=rtpmap:${payloadType} L16/${sampleRate}`,
    'a=ptime:20',
    '',
  ].join('\r\n')
}
