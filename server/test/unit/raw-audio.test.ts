/** What raw audio is on the wire: the switch's offer, our answer, and the packets. */
import { expect } from 'chai'
import fc from 'fast-check'
import { audioAnswer, readAudioOffer } from '../../src/adapters/freeswitch/audio-sdp.js'
import { rtpPacket, samplesOf } from '../../src/adapters/freeswitch/rtp-packet.js'

const offer = [
  'v=0',
  'o=FreeSWITCH 1763800000 1763800001 IN IP4 127.0.0.1',
  's=FreeSWITCH',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 10012 RTP/AVP 102 101 13',
  'a=rtpmap:102 L16/16000',
  'a=rtpmap:101 telephone-event/16000',
  'a=ptime:20',
  '',
].join('\r\n')

describe('an offer of raw audio', () => {
  it('tells where the switch takes sound, and as what', () => {
    const read = { host: '127.0.0.1', port: 10_012, payloadType: 102, sampleRate: 16_000 }
    expect(readAudioOffer(offer)).to.deep.equal(read)
    expect(readAudioOffer(offer.replaceAll('\r\n', '\n'))).to.deep.equal(read)
    expect(readAudioOffer(audioAnswer({ ...read, sampleRate: 16_000 }, 4_000))).to.deep.equal({
      ...read,
      port: 4_000,
    })
  })

  it('may come from any address of this machine', () => {
    const fromIpv6 = readAudioOffer(offer.replace('IP4 127.0.0.1\r\nt=', 'IP6 2001:db8::7\r\nt='))
    expect(fromIpv6?.host).to.equal('2001:db8::7')
    expect(audioAnswer(fromIpv6!, 4_000)).to.match(/^c=IN IP6 ::1\r$/m)
    const fromIpv4 = readAudioOffer(offer.replace('c=IN IP4 127.0.0.1', 'c=IN IP4 192.0.2.1'))
    expect(fromIpv4?.host).to.equal('192.0.2.1')
    expect(audioAnswer(fromIpv4!, 4_000)).to.match(/^c=IN IP4 127\.0\.0\.1\r$/m)
  })

  it('is none with another codec, rate, channels, address or port', () => {
    const others: [string, string][] = [
      ['L16/16000', 'L16/44100'],
      ['L16/16000', 'L16/16000/2'],
      ['L16/16000', 'PCMU/8000'],
      ['rtpmap:102', 'rtpmap:103'],
      ['audio 10012', 'audio 0'],
      ['audio 10012', 'audio 65536'],
      ['RTP/AVP', 'RTP/SAVPF'],
      ['RTP/AVP 102', 'RTP/AVP'],
      ['RTP/AVP 102', 'RTP/AVP 1022'],
      ['c=IN IP4 127.0.0.1', 'c=IN IP6 127.0.0.1'],
      ['c=IN IP4 127.0.0.1', 'c=IN IP4 127.0.0'],
      ['c=IN IP4 127.0.0.1', 'c=IN IP4 localhost'],
      ['m=audio', 'm=video'],
    ]
    for (const [one, other] of others) {
      expect(readAudioOffer(offer.replace(one, other)), other).to.equal(null)
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(readAudioOffer(text)).to.equal(null)
      }),
    )
  })
})

describe('packets of raw audio', () => {
  const samples = Int16Array.from({ length: 160 }, (_, index) => (index - 80) * 400)
  const header = { payloadType: 102, sequence: 0xffff, timestamp: 0xffff_ffff, source: 7, isMarked: false }
  const packet = rtpPacket(header, samples)

  it('are read as they were written', () => {
    expect(packet.subarray(0, 14).toString('hex')).to.equal('8066ffffffffffff000000078300')
    expect(samplesOf(packet, 102, 160)).to.deep.equal(samples)
    const marked = rtpPacket({ ...header, isMarked: true }, samples)
    expect(marked[1]).to.equal(0x80 | 102)
    expect(samplesOf(marked, 102, 160)).to.deep.equal(samples)
  })

  it('are read behind those who contributed to them', () => {
    const two = Buffer.concat([packet.subarray(0, 12), Buffer.alloc(8, 0xee), packet.subarray(12)])
    two[0] = 0x82
    expect(samplesOf(two, 102, 160)).to.deep.equal(samples)
    expect(samplesOf(two.subarray(0, -2), 102, 160)).to.equal(null)
  })

  it('are nothing when they are of another kind or length', () => {
    const changed = (at: number, byte: number) => {
      const copy = Buffer.from(packet)
      copy[at] = byte
      return copy
    }
    const version1 = changed(0, 0x40)
    const padded = changed(0, 0xa0)
    const extended = changed(0, 0x90)
    const keys = changed(1, 101)
    for (const one of [version1, padded, extended, keys]) expect(samplesOf(one, 102, 160)).to.equal(null)
    for (let length = 0; length < packet.length; length++) {
      expect(samplesOf(packet.subarray(0, length), 102, 160)).to.equal(null)
    }
    expect(samplesOf(Buffer.concat([packet, packet]), 102, 160)).to.equal(null)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const read = samplesOf(Buffer.from(bytes), 102, 160)
        expect(read === null || read.length === 160).to.equal(true)
      }),
    )
  })
})
