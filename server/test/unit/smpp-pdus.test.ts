/** PDUs as strangers may write them: whatever comes is read or refused, and nothing is kept of it. */
import { expect } from 'chai'
import fc from 'fast-check'
import { cString, parameter, TAGS } from '../../src/adapters/sms/kinds/smpp/body.js'
import { readIncoming } from '../../src/adapters/sms/kinds/smpp/incoming.js'
import {
  COMMANDS,
  MAX_PDU_BYTES,
  PduError,
  PduStream,
  encodePdu,
  type Pdu,
} from '../../src/adapters/sms/kinds/smpp/pdu.js'
import { SMPP_DEFAULTS, type SmppSettings } from '../../src/adapters/sms/kinds/smpp/settings.js'
import { segmentsOf, submitBody } from '../../src/adapters/sms/kinds/smpp/submission.js'
import { encodingOf } from '../../src/adapters/sms/text/segments.js'

const settings: SmppSettings = { ...SMPP_DEFAULTS, host: 'smsc.test', system_id: 'a', password: 'b' }

function readAll(chunks: readonly Buffer[]): Pdu[] {
  const stream = new PduStream()
  const pdus: Pdu[] = []
  for (const chunk of chunks) {
    stream.write(chunk)
    for (let pdu = stream.next(); pdu; pdu = stream.next()) pdus.push(pdu)
  }
  return pdus
}

/** A deliver_sm as SMPP wants it. */
function deliverSm(message: Buffer, esmClass = 0, dataCoding = 0, parameters: readonly Buffer[] = []): Pdu {
  const body = Buffer.concat([
    cString(''),
    Buffer.from([1, 1]),
    cString('12025550177'),
    Buffer.from([1, 1]),
    cString('+12025550100'),
    Buffer.from([esmClass, 0, 0]),
    ...[cString(''), cString('')],
    Buffer.from([0, 0, dataCoding, 0, message.length]),
    message,
    ...parameters,
  ])
  return { command: COMMANDS.deliver_sm, status: 0, sequence: 1, body }
}

/** @returns what was made of it; null for what is no message */
function read(pdu: Pdu) {
  try {
    return readIncoming(pdu, settings)
  } catch (error) {
    if (error instanceof PduError) return null
    throw error
  }
}

describe('PDUs of SMPP', () => {
  it('are read whole, however they are cut', () => {
    const pdus = [
      { command: COMMANDS.enquire_link, status: 0, sequence: 1, body: Buffer.alloc(0) },
      deliverSm(Buffer.from('hello')),
      { command: 0x80000004, status: 0x58, sequence: 0x7fffffff, body: Buffer.from('abc\0') },
      { command: COMMANDS.data_sm, status: 0, sequence: 9, body: Buffer.alloc(MAX_PDU_BYTES - 16, 7) },
    ]
    const bytes = Buffer.concat(pdus.map(encodePdu))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 40 }), (cuts) => {
        const edges = [0, ...cuts.sort((one, other) => one - other), bytes.length]
        expect(readAll(edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge)))).to.eql(pdus)
      }),
      { numRuns: 30 },
    )
    expect(readAll([...bytes.subarray(0, 200)].map((octet) => Buffer.from([octet])))).to.eql(pdus.slice(0, 3))
  })

  it('of no possible length are refused before any more is read', () => {
    for (const length of [0, 4, 15, MAX_PDU_BYTES + 1, 0xffffffff]) {
      const header = Buffer.alloc(16)
      header.writeUInt32BE(length)
      expect(() => readAll([header]), String(length)).to.throw(PduError)
    }
  })

  it('that are random are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (octets, isData) => {
        const command = isData ? COMMANDS.data_sm : COMMANDS.deliver_sm
        read({ command, status: 0, sequence: 1, body: Buffer.from(octets) })
      }),
      { numRuns: 2000 },
    )
  })

  it('that are changed in a few octets are read or refused, and make no more of it than was there', () => {
    const originals = [
      deliverSm(Buffer.from('hello')),
      deliverSm(Buffer.from([5, 0, 3, 9, 2, 1, 65, 66]), 0x40),
      deliverSm(Buffer.from('id:12 stat:DELIVRD err:000 text:x'), 0x04),
      deliverSm(Buffer.alloc(0), 0, 8, [
        parameter(TAGS.message_payload, Buffer.from('00410042', 'hex')),
        parameter(TAGS.sar_msg_ref_num, Buffer.from([1, 2])),
        parameter(TAGS.sar_total_segments, Buffer.from([2])),
        parameter(TAGS.sar_segment_seqnum, Buffer.from([1])),
      ]),
      deliverSm(Buffer.alloc(0), 0, 0, [
        parameter(TAGS.receipted_message_id, cString('ab')),
        parameter(TAGS.message_state, Buffer.from([2])),
      ]),
    ]
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(
        fc.constantFrom(...originals),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        (original, changes, end) => {
          const body = Buffer.from(original.body)
          for (const [at, octet] of changes) body[at % body.length] = octet
          const cut = body.subarray(0, body.length - (end % 3 === 0 ? end % body.length : 0))
          const incoming = read({ ...original, body: cut })
          if (incoming?.kind === 'segment') {
            expect(incoming.segment.body.length).to.be.at.most(body.length)
            const { concatenation } = incoming.segment
            if (concatenation) expect(concatenation.index).to.be.within(0, concatenation.total - 1)
          }
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('with a part that cannot be are messages of their own', () => {
    const part = (...header: number[]) => read(deliverSm(Buffer.from([...header, 65]), 0x40))
    expect(part(5, 0, 3, 9, 2, 1)).to.have.nested.property('segment.concatenation.total', 2)
    for (const header of [
      [5, 0, 3, 9, 2, 3],
      [5, 0, 3, 9, 2, 0],
      [5, 0, 3, 9, 1, 1],
      [5, 0, 3, 9, 0, 0],
      [4, 0, 2, 9, 2],
      [3, 0, 255, 9],
      [5, 0x24, 1, 3, 0x25, 0],
    ]) {
      expect(part(...header), header.join()).to.deep.nested.include({
        'segment.concatenation': null,
        'segment.body': 'A',
      })
    }
    // a header that is longer than the message is none
    expect(read(deliverSm(Buffer.from('HI'), 0x40))).to.have.nested.property('segment.body', 'HI')
  })

  it('that are not texts of one of ours are decoded as what they are', () => {
    const body = (dataCoding: number, hex: string) =>
      (read(deliverSm(Buffer.from(hex, 'hex'), 0, dataCoding)) as { segment: { body: string } }).segment.body
    expect(body(6, 'bfe0d8d2d5e2')).to.equal('Привет')
    expect(body(8, '004100')).to.equal('A')
    expect(body(0x18, '0041')).to.equal('A')
    expect(body(0x10, '00')).to.equal('@')
    expect(body(0xf5, 'e9')).to.equal('é')
    expect(body(4, 'e900')).to.equal('é')
    expect(body(0xc0, '41')).to.equal('A')
  })

  it('that we make are as long as they say, for any text', () => {
    const forms = fc.constantFrom(...(['udh', 'udh16', 'sar', 'payload'] as const))
    const codings = fc.constantFrom(...(['gsm7', 'gsm7_packed', 'latin1', 'ascii'] as const))
    const body = fc.oneof(fc.string({ maxLength: 1600 }), fc.string({ unit: 'grapheme', maxLength: 800 }))
    fc.assert(
      fc.property(body, forms, codings, (text, long_messages, gsm7_data_coding) => {
        const inbound_default_data_coding = gsm7_data_coding === 'gsm7_packed' ? 'gsm7_packed' : 'gsm7'
        const ways = { long_messages, gsm7_data_coding, inbound_default_data_coding } as const
        const own = { ...settings, ...ways, inbound_trailing_nul: 'text' as const }
        const message = { id: 'msg_1', from: '1', to: '2', body: text, encoding: encodingOf(text), media: [] }
        const segments = segmentsOf(message, own)
        expect(segments.map((segment) => segment.body).join('')).to.equal(text)
        for (const segment of segments) {
          const submitted = submitBody(segment, own)
          // a submit_sm is laid out as a deliver_sm
          const pdu = { command: COMMANDS.deliver_sm, status: 0, sequence: 1, body: submitted }
          const incoming = readIncoming(pdu, own)
          // Marks of the byte order are no text, and NULs at the end are its end.
          const meant = segment.body.replace(/^\ufeff/, '').replace(/\0+$/, '')
          // A carriage return at the end of packed septets is filling.
          const isFilled = gsm7_data_coding === 'gsm7_packed' && segment.body.endsWith('\r')
          if (!segment.body.startsWith('\ufffe') && !isFilled)
            expect(incoming).to.have.nested.property('segment.body', meant)
          expect(incoming?.kind === 'segment' && (incoming.segment.concatenation?.total ?? 1)).to.equal(
            segments.length,
          )
        }
      }),
      { numRuns: 200 },
    )
  })
})
