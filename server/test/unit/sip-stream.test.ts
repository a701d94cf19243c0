import { expect } from 'chai'
import fc from 'fast-check'
import { SipStream, SipStreamError, sipAnswer } from '../../src/adapters/freeswitch/sip-stream.js'

const invite = [
  'INVITE sip:abc@127.0.0.1:5090;transport=tcp SIP/2.0',
  'Via: SIP/2.0/TCP 127.0.0.1:5080;branch=z9hG4bK1;rport',
  'Via: SIP/2.0/TCP 127.0.0.9;branch=z9hG4bK0',
  'f: <sip:a@b>;tag=1',
  'To: <sip:abc@127.0.0.1>',
  'i: call-1',
  'CSeq: 7 INVITE',
  'Subject: over',
  '  two lines',
  'Content-Length: 5',
  '',
  'v=0é',
].join('\r\n')

function readAll(chunks: readonly Buffer[]) {
  const stream = new SipStream()
  return chunks.flatMap((chunk) => stream.read(chunk))
}

describe('SIP on a stream', () => {
  it('is read whole, however it is cut', () => {
    const bytes = Buffer.from(`\r\n\r\n${invite}SIP/2.0 200 OK\r\nl: 0\r\n\r\n${invite}`)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.sort((one, other) => one - other), bytes.length]
        const requests = readAll(edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge)))
        expect(requests).to.have.length(2)
        for (const request of requests) {
          expect(request.method).to.equal('INVITE')
          expect(request.uri).to.equal('sip:abc@127.0.0.1:5090;transport=tcp')
          expect(request.headers('via')).to.have.length(2)
          expect([request.header('from'), request.header('call-id')]).to.eql(['<sip:a@b>;tag=1', 'call-1'])
          expect(request.header('subject')).to.equal('over two lines')
          expect(request.body).to.equal('v=0é')
        }
      }),
    )
  })

  it('refuses nonsense, and keeps no more of it than is read', () => {
    const nonsense = [
      'GET / HTTP/1.1\r\n\r\n',
      'BYE sip:a@b SIP/2.0\r\nno header\r\n\r\n',
      'BYE sip:a@b SIP/2.0\r\nVia: x\r\n\r\n',
      'BYE sip:a@b SIP/2.0\r\nContent-Length: -1\r\n\r\n',
      'BYE sip:a@b SIP/2.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      'BYE sip:a@b SIP/2.0\r\nContent-Length: 999999999\r\n\r\n',
      `BYE sip:a@b SIP/2.0\r\nX: ${'x'.repeat(40_000)}`,
      'x'.repeat(40_000),
    ]
    for (const text of nonsense) {
      expect(() => readAll([Buffer.from(text)]), text.slice(0, 60)).to.throw(SipStreamError)
    }
  })

  it('throws nothing else, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.uint8Array(),
            fc.string().map((text) => Buffer.from(text)),
          ),
        ),
        (chunks) => {
          try {
            readAll(chunks.map((chunk) => Buffer.from(chunk)))
          } catch (error) {
            expect(error).to.be.instanceOf(SipStreamError)
          }
        },
      ),
    )
  })

  it('is answered with what a transaction needs, and one tag a dialog', () => {
    const [request] = readAll([Buffer.from(invite)])
    const answer = sipAnswer(request!, 200, ['Contact: <sip:abc@127.0.0.1>'], 'v=0\r\n')
    expect(answer).to.match(
      /^SIP\/2\.0 200 OK\r\nVia: SIP\/2\.0\/TCP 127\.0\.0\.1:5080;.*\r\nVia: .*127\.0\.0\.9/,
    )
    expect(answer).to.match(/\r\nCSeq: 7 INVITE\r\n/)
    expect(answer).to.match(/\r\nContent-Length: 5\r\n\r\nv=0\r\n$/)
    const tag = /^To: <sip:abc@127\.0\.0\.1>;tag=(\w+)/m
    expect(tag.exec(answer)?.[1])
      .to.equal(tag.exec(sipAnswer(request!, 180))?.[1])
      .and.not.equal(undefined)
    expect(sipAnswer(request!, 100)).not.to.match(/^To: .*tag=/m)
  })
})
