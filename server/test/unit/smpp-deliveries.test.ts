/** What a deliver_sm is, octet by octet: a text of a client, a receipt, or what cannot be read. */
import { expect } from 'chai'
import { type Incoming, readIncoming } from '../../src/adapters/sms/kinds/smpp/incoming.js'
import { COMMANDS, PduError } from '../../src/adapters/sms/kinds/smpp/pdu.js'
import { SMPP_DEFAULTS, type SmppSettings } from '../../src/adapters/sms/kinds/smpp/settings.js'
import { type DeliverSm, deliverSmBody, hexOf, tlv } from '../support/deliver-sm.js'

const read = (message: DeliverSm, settings: Partial<SmppSettings> = {}): Incoming =>
  readIncoming(
    { command: COMMANDS.deliver_sm, status: 0, sequence: 1, body: deliverSmBody(message) },
    { ...SMPP_DEFAULTS, host: 'smsc', system_id: 'x', password: '', ...settings },
  )

function segment(message: DeliverSm, settings: Partial<SmppSettings> = {}) {
  const incoming = read(message, settings)
  if (incoming.kind !== 'segment') throw new Error(`it is a ${incoming.kind}`)
  return incoming.segment
}

const hello = hexOf('Hello')
const reference = tlv(0x0204, '0007')
const payload = (text: string) => tlv(0x0424, hexOf(text))

describe('a deliver_sm', () => {
  it('loses no text for what stands behind it', () => {
    const cases: [what: string, behind: string][] = [
      ['nothing', ''],
      ['a NUL', '00'],
      ['a NUL, then a parameter', `00${reference}`],
      ['NULs', '00000000000000'],
      ['NULs, then a parameter', `000000${reference}`],
      ['a parameter that is cut', tlv(0x0204, '00', 2)],
      ['a length beyond the end', tlv(0x0204, '0007', 0xffff)],
      ['half of a head', '0204'],
      ['an unknown parameter', tlv(0x3fff, 'cafe')],
      ['the same one twice', reference + tlv(0x0204, '0008')],
      ['one of a wrong size', tlv(0x0204, '00000007') + tlv(0x020c, '01')],
      ['an empty one', tlv(0x0424, '')],
      ['noise', 'ffffffffffffffff'],
    ]
    for (const [what, behind] of cases) {
      expect(segment({ hex: hello, behind }).body, what).to.equal('Hello')
    }
  })

  it('has its text in message_payload too, as far as it goes', () => {
    expect(segment({ behind: payload('Long text') }).body).to.equal('Long text')
    expect(segment({ behind: `00${payload('Long text')}` }).body).to.equal('Long text')
    expect(segment({ behind: tlv(0x0424, hexOf('Cut off'), 200) }).body).to.equal('Cut off')
    expect(segment({ behind: tlv(0x0424, '') + payload('Second') }).body).to.equal('Second')
    expect(segment({ hex: hexOf('Long'), behind: payload('Long text') }).body).to.equal('Long text')
    expect(segment({ hex: hexOf('Short'), behind: payload('Other') }).body).to.equal('Short')
    const part = segment({ esm_class: 0x40, hex: '050003070201', behind: payload('Half') })
    expect(part).to.deep.include({ body: 'Half', concatenation: { reference: 7, total: 2, index: 0 } })
  })

  it('has a text though sm_length goes beyond the end, and none without its mandatory part', () => {
    expect(segment({ hex: hello, length: 200 }).body).to.equal('Hello')
    const body = deliverSmBody({ hex: hello })
    for (let length = 0; length < body.length - 6; length++) {
      expect(
        () =>
          readIncoming(
            { command: COMMANDS.deliver_sm, status: 0, sequence: 1, body: body.subarray(0, length) },
            { ...SMPP_DEFAULTS, host: 'smsc', system_id: 'x', password: '' },
          ),
        String(length),
      ).to.throw(PduError)
    }
  })

  it('ends with the NUL of a C string in any alphabet', () => {
    for (const data_coding of [0, 1, 3, 4, 0xf0]) {
      expect(segment({ hex: `${hello}00`, data_coding }).body, String(data_coding)).to.equal('Hello')
    }
    expect(segment({ hex: '00480069' + '0000', data_coding: 8 }).body).to.equal('Hi')
    expect(segment({ hex: hexOf('me') + '00' }, { inbound_trailing_nul: 'text' }).body).to.equal('me@')
  })

  it('tells its parts by headers of all kinds, also where nothing says that there is one', () => {
    const cases: [header: string, reference: number, total: number, index: number][] = [
      ['050003070201', 7, 2, 0],
      ['06080409010302', 0x0901, 3, 1],
      // with a port, with national tables, in any order
      ['0b050415b3000000030703' + '03', 7, 3, 2],
      ['0b0003070201240101250101', 7, 2, 0],
      ['0b2401012501010003070202', 7, 2, 1],
      // wrong ones before the right one
      ['0a0003070205' + '0003070202', 7, 2, 1],
    ]
    for (const [header, reference_, total, index] of cases) {
      const found = segment({ esm_class: 0x40, hex: header + hello })
      expect(found.concatenation, header).to.eql({ reference: reference_, total, index })
      expect(found.body, header).to.equal('Hello')
    }
    expect(segment({ hex: `050003070201${hello}` }).concatenation).to.eql({
      reference: 7,
      total: 2,
      index: 0,
    })
    expect(segment({ hex: `06080401000202${hello}` }).body).to.equal('Hello')
    const turkish = segment({ esm_class: 0x40, hex: '06240101250101' + '0b1b67' })
    expect(turkish.body).to.equal('Ğğ')
    const sar = (...values: [number, string][]) => values.map(([tag, value]) => tlv(tag, value)).join('')
    const whole = sar([0x020c, '0107'], [0x020e, '02'], [0x020f, '02'])
    expect(segment({ hex: hello, behind: whole }).concatenation).to.eql({
      reference: 263,
      total: 2,
      index: 1,
    })
    for (const broken of [
      sar([0x020c, '0107'], [0x020e, '02']),
      sar([0x020c, '07'], [0x020e, '02'], [0x020f, '02']),
      sar([0x020c, '0107'], [0x020e, '02'], [0x020f, '03']),
    ]) {
      expect(segment({ hex: hello, behind: broken })).to.deep.include({ concatenation: null, body: 'Hello' })
    }
  })

  it('may hold packed septets, which a header moves', () => {
    const packed = { inbound_default_data_coding: 'gsm7_packed' } as const
    expect(segment({ hex: 'e8329bfd4697d9ec37' }, packed).body).to.equal('hellohello')
    // One bit of filling after six octets.
    const part = segment({ esm_class: 0x40, hex: '050003070201' + 'd06536fb0d' }, packed)
    expect(part.body).to.equal('hello')
    expect(part.encoded?.octets.toString('latin1')).to.equal('hello')
  })

  it('is from and for what its types say', () => {
    const found = segment({ from: '2025550177', from_ton: 2, to: '+12025550100', to_ton: 0 })
    expect(found).to.include({ from: '2025550177', from_type: 'national' })
    expect(found).to.include({ to: '12025550100', to_type: 'e164' })
    const types = [0, 1, 2, 3, 4, 5, 6, 7, 255].map((from_ton) => segment({ from_ton }).from_type)
    expect(types).to.eql([
      ...['unknown', 'international', 'national', 'network', 'subscriber', 'alphanumeric', 'abbreviated'],
      ...['unknown', 'unknown'],
    ])
  })
})

describe('a deliver_sm that is a receipt', () => {
  const text =
    'id:4711 sub:001 dlvrd:001 submit date:2611252200 done date:2611252201 stat:DELIVRD err:000 text:Hi'
  const id = tlv(0x001e, `${hexOf('4711')}00`)
  const state = (value: string) => tlv(0x0427, value)

  it('is one by its type, or by parameters that no handset can write', () => {
    const cases: [DeliverSm, string][] = [
      [{ esm_class: 0x04, hex: hexOf(text) }, 'delivered'],
      [{ esm_class: 0x20, hex: hexOf(text) }, 'pending'],
      [{ behind: id }, 'delivered'],
      [{ esm_class: 0x08, behind: id }, 'delivered'],
      [{ hex: '00', behind: id }, 'delivered'],
      [{ behind: id + tlv(0x0423, '030021') }, 'undelivered'],
      [{ behind: id + state('02') }, 'delivered'],
      [{ behind: id + state('0005') }, 'undelivered'],
      [{ hex: hexOf('whatever'), behind: id + state('08') }, 'failed'],
      [{ hex: hexOf(text), behind: id }, 'delivered'],
      [
        { esm_class: 0x04, hex: Buffer.from(text, 'utf16le').swap16().toString('hex'), data_coding: 8 },
        'delivered',
      ],
    ]
    for (const [message, expected] of cases) {
      const incoming = read(message)
      if (incoming.kind !== 'receipt') throw new Error(`${JSON.stringify(message)} is a ${incoming.kind}`)
      expect(incoming.receipt.state, JSON.stringify(message)).to.equal(expected)
      expect(incoming.receipt.carrier_message_ids).to.include('4711')
    }
  })

  it('may be one by its content, and is a text if it names nothing that was sent', () => {
    for (const esm_class of [0x00, 0x08, 0x10]) {
      const incoming = read({ esm_class, hex: hexOf('id:4711 stat:DELIVRD err:000') })
      expect(incoming).to.have.nested.property('segment.body')
      expect(incoming).to.have.nested.property('receipt.state', 'delivered')
    }
    for (const plain of ['Yes', 'id: my passport', 'stat: fine', '']) {
      expect(read({ hex: hexOf(plain) }), plain).to.include({ kind: 'segment', receipt: null })
    }
  })

  it('is one where it has all that SMSCs write, from its beginning', () => {
    const forms = [text, text.toUpperCase(), text.replaceAll(' date:', '_date: '), text.replace(/ err.*/, '')]
    for (const form of forms) {
      for (const esm_class of [0x00, 0x08, 0x10]) {
        expect(read({ esm_class, hex: hexOf(form) }), form).to.have.nested.property(
          'receipt.state',
          'delivered',
        )
        expect(read({ esm_class, hex: hexOf(form) }).kind, form).to.equal('receipt')
      }
    }
    for (const form of [
      `My phone shows ${text}`,
      text.replace(/submit date:\d+ /, ''),
      text.replace('id:4711 ', ''),
    ]) {
      expect(read({ hex: hexOf(form) }).kind, form).to.equal('segment')
    }
  })

  it('is nothing where it says nothing', () => {
    expect(read({ esm_class: 0x08 }).kind).to.equal('nothing')
    expect(read({ esm_class: 0x08, hex: '00' }).kind).to.equal('nothing')
    expect(read({ esm_class: 0x04, hex: hello }).kind).to.equal('nothing')
    // The acknowledgement that a person writes is a text.
    expect(read({ esm_class: 0x10, hex: hello })).to.have.nested.property('segment.body', 'Hello')
  })

  it('says that a client has opted out by a code that the carrier has for it', () => {
    const refusals = { 'err:045': 'opted_out', 'err:OPTOUT': 'opted_out', 'err:9': 'permanent' } as const
    const of = (fields: string) => {
      const incoming = read({ esm_class: 4, hex: hexOf(`id:1 ${fields}`) }, { refusals })
      return incoming.kind === 'receipt' && incoming.receipt.has_opted_out
    }
    for (const fields of ['stat:UNDELIV err:045', 'stat:REJECTD err:045 text:x', 'stat:optout err:000'])
      expect(of(fields), fields).to.equal(true)
    for (const fields of [
      'stat:UNDELIV err:45',
      'stat:UNDELIV err:9',
      'stat:DELIVRD err:045',
      'stat:EXPIRED',
    ])
      expect(of(fields), fields).to.equal(undefined)
  })

  it('has words that are read as ASCII, and as the carrier says', () => {
    const of = (word: string, receipt_statuses: SmppSettings['receipt_statuses'] = {}) => {
      const incoming = read(
        { esm_class: 4, hex: hexOf(`id:1 stat:${word} err:045 text:`) },
        { receipt_statuses },
      )
      return incoming.kind === 'receipt' ? incoming.receipt : undefined
    }
    const known: Record<string, string> = {
      ...{ DELIVRD: 'delivered', DELIVERED_TO_HANDSET: 'delivered', ACCEPTD: 'delivered', '2': 'delivered' },
      ...{ UNDELIVERABLE: 'undelivered', BLOCKED: 'undelivered', BLKD: 'undelivered', ABSENT: 'undelivered' },
      ...{
        DND: 'undelivered',
        ERROR: 'undelivered',
        NACK: 'undelivered',
        FAILED: 'undelivered',
        '5': 'undelivered',
      },
      ...{ REJECTED: 'failed', NO_CREDIT: 'failed', '8': 'failed' },
      ...{ ENROUTE: 'pending', BUFFERED: 'pending', '1': 'pending', SOMETHING: 'pending' },
    }
    for (const [word, state_] of Object.entries(known)) expect(of(word)?.state, word).to.equal(state_)
    expect(of('NO_CREDIT')).to.include({ error_code: '045' })
    expect(of('NO_CREDIT')?.error_message).to.equal('no credit at the carrier (NO_CREDIT)')
    const own = { something: 'failed', acceptd: 'pending' } as const
    expect(of('SOMETHING', own)?.state).to.equal('failed')
    expect(of('ACCEPTD', own)?.state).to.equal('pending')
    expect(of('DELIVRD', own)?.state).to.equal('delivered')
  })
})
