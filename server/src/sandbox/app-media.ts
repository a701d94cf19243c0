/** What FreeSWITCH offers a browser, but with an address on which nothing listens: enough to try an app's signalling. */
import { randomBytes } from 'node:crypto'
import type { LegMedia } from './leg-far-end.js'

export const appMedia: LegMedia = {
  offer: async () => Promise.resolve(offer()),
  answered: () => undefined,
  close: () => undefined,
}

function offer(): string {
  const fingerprint = [...randomBytes(32)].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
  return [
    'v=0',
    `o=FreeSWITCH ${Math.floor(Date.now() / 1000)} 1 IN IP4 127.0.0.1`,
    's=FreeSWITCH',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    'a=msid-semantic: WMS sandbox',
    'm=audio 9 RTP/SAVPF 102 101',
    'a=rtpmap:102 opus/48000/2',
    'a=fmtp:102 useinbandfec=1; minptime=10; ptime=20; stereo=0',
    'a=rtpmap:101 telephone-event/48000',
    'a=fmtp:101 0-15',
    `a=fingerprint:sha-256 ${fingerprint.toUpperCase()}`,
    'a=setup:actpass',
    'a=rtcp-mux',
    'a=sendrecv',
    `a=ice-ufrag:${randomBytes(8).toString('hex')}`,
    `a=ice-pwd:${randomBytes(12).toString('hex')}`,
    'a=candidate:1 1 udp 2130706431 127.0.0.1 9 typ host generation 0',
    'a=end-of-candidates',
    'a=ptime:20',
    '',
  ].join('\r\n')
}
