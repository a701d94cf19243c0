/** What goes out over SMPP, as an SMSC that is not ours reads it. */
import { expect } from 'chai'
import { type OutboundText, SubmitError } from '../../src/adapters/sms/link.js'
import { readIncoming } from '../../src/adapters/sms/kinds/smpp/incoming.js'
import { COMMANDS } from '../../src/adapters/sms/kinds/smpp/pdu.js'
import { SMPP_DEFAULTS } from '../../src/adapters/sms/kinds/smpp/settings.js'
import { segmentsOf, submitBody } from '../../src/adapters/sms/kinds/smpp/submission.js'
import type { SmppLink } from '../../src/adapters/sms/kinds/smpp/smpp-link.js'
import type { SmscSubmit } from '../support/smsc.js'
import { SmppWorld, handset, ours, submitAll, text } from './smpp-fixture.js'

/** The whole alphabet of GSM-7, but for the escape and form feed. */
const ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà^{}\\[~]|€'

describe('submissions over SMPP', function () {
  this.timeout(30_000)
  let world: SmppWorld

  before(async () => {
    world = await SmppWorld.start()
  })

  after(async () => world.end())

  /** What the SMSC got of a message. */
  async function sent(link: SmppLink, body: string, message = text(body)): Promise<SmscSubmit[]> {
    const first = world.smsc.submits.length
    const ids = await submitAll(link, message)
    await world.smsc.until('submissions', () => world.smsc.submits.length >= first + ids.length)
    const submits = world.smsc.submits.slice(first)
    expect(submits.map(({ id }) => id)).to.eql(ids)
    return submits
  }

  it('carry numbers, the wish for a receipt, and texts in both alphabets', async () => {
    const link = await world.bound({ validity_seconds: 90_061 })
    const [latin] = await sent(link, ALPHABET)
    expect(latin).to.include({ from: ours, to: handset, data_coding: 0, esm_class: 0, text: ALPHABET })
    expect(latin).to.include({ registered_delivery: 1, validity: '000001010101000R', status: 0 })
    expect(latin?.source).to.eql([1, 1])
    expect(latin?.destination).to.eql([1, 1])

    const [wide] = await sent(link, 'Žluťoučký 😀')
    expect(wide).to.include({ data_coding: 8, text: 'Žluťoučký 😀' })
  })

  it('write numbers and alphabets as the carrier wants them', async () => {
    const plus = await world.bound({
      ...{ number_format: 'plus', source_ton: 5, source_npi: 0, destination_ton: 2, destination_npi: 8 },
      gsm7_data_coding: 'latin1',
    })
    const [latin] = await sent(plus, 'café à')
    expect(latin).to.include({ from: `+${ours}`, to: `+${handset}`, data_coding: 3, text: 'café à' })
    expect([latin?.source, latin?.destination]).to.eql([
      [5, 0],
      [2, 8],
    ])
    expect((await sent(plus, '5 €'))[0]).to.include({ data_coding: 8, text: '5 €' })

    const ascii = await world.bound({ gsm7_data_coding: 'ascii' })
    expect((await sent(ascii, '{a@b}'))[0]).to.include({ data_coding: 1, text: '{a@b}' })
    expect((await sent(ascii, 'café'))[0]).to.include({ data_coding: 8, text: 'café' })
  })

  it('say of each number what it is, unless the carrier wants another type', async () => {
    const types = async (link: SmppLink, message: OutboundText) => {
      const [submit] = await sent(link, message.body, message)
      return [submit?.from, submit?.source, submit?.to, submit?.destination]
    }
    const abroad = '447700900123'
    const national = await world.bound({ number_format: 'national', destination_npi: 8 })
    expect(await types(national, text('x'))).to.eql([ours.slice(1), [2, 1], handset.slice(1), [2, 8]])
    // The digits alone would be a number of the United States.
    expect(await types(national, text('x', abroad))).to.eql([ours.slice(1), [2, 1], abroad, [1, 1]])
    const trunk = await world.bound({ number_format: 'national_trunk', country: 'GB', destination_ton: 0 })
    expect(await types(trunk, text('x', abroad))).to.eql([ours, [1, 1], '07700900123', [0, 1]])
    expect(await types(trunk, text('x'))).to.eql([ours, [1, 1], handset, [1, 1]])
    const dialled = await world.bound({ number_format: 'international_00' })
    expect(await types(dialled, text('x'))).to.eql([`00${ours}`, [0, 1], `00${handset}`, [0, 1]])
    const named = await world.bound({ source_ton: 1, short_code_ton: 6 })
    expect((await types(named, { ...text('x'), from: 'ACME' })).slice(0, 2)).to.eql(['ACME', [5, 0]])
    expect((await types(named, { ...text('x'), from: '72345' })).slice(0, 2)).to.eql(['72345', [6, 0]])
    const short = await world.bound()
    expect((await types(short, { ...text('x'), from: '72345' })).slice(0, 2)).to.eql(['72345', [3, 0]])
  })

  it('hold what a carrier insists on', async () => {
    const link = await world.bound({
      ...{ service_type: 'CMT', protocol_id: 0x7f, priority: 3, registered_delivery: 2 },
      ...{ validity_seconds: 3_600, validity_format: 'absolute' },
    })
    const [submit] = await sent(link, 'Hello')
    expect(submit).to.include({ service_type: 'CMT', protocol_id: 0x7f, priority: 3, registered_delivery: 2 })
    const [, ...fields] = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)000\+$/.exec(submit?.validity ?? '') ?? []
    const [year = 0, month = 0, ...rest] = fields.map(Number)
    const until = Date.UTC(2000 + year, month - 1, ...(rest as [number, number, number, number]))
    expect(until - Date.now()).to.be.within(3_590_000, 3_601_000)
  })

  it('are packed septets for a carrier that wants them, behind headers too', () => {
    const settings = { ...SMPP_DEFAULTS, host: 'smsc', system_id: 'x', password: '' }
    const packed = {
      ...settings,
      gsm7_data_coding: 'gsm7_packed',
      inbound_default_data_coding: 'gsm7_packed',
    } as const
    for (const body of ['hellohello', '', 'Price 5 €', `${'x'.repeat(152)}€${'y'.repeat(200)}`]) {
      const segments = segmentsOf(text(body), packed)
      const back = segments.map((segment) => {
        const incoming = readIncoming(
          { command: COMMANDS.deliver_sm, status: 0, sequence: 1, body: submitBody(segment, packed) },
          packed,
        )
        return incoming.kind === 'segment' ? incoming.segment : undefined
      })
      expect(back.map((one) => one?.body).join('')).to.equal(body)
      expect(back.map((one) => one?.concatenation?.index ?? 0)).to.eql(segments.map(({ index }) => index))
      for (const segment of segments) expect(submitBody(segment, packed).length).to.be.lessThan(60 + 140)
    }
    expect(submitBody(segmentsOf(text('hellohello'), packed)[0] as never, packed).toString('hex')).to.match(
      /09e8329bfd4697d9ec37$/,
    )
  })

  it('go in parts with a header of 8 or 16 bits, with parameters, or whole in message_payload', async () => {
    const long = `${'x'.repeat(152)}€${'y'.repeat(153)}`
    const wide = `${'ž'.repeat(66)}😀${'ř'.repeat(10)}`

    const udh = await world.bound()
    const parts = await sent(udh, long)
    expect(parts.map((part) => part.text)).to.eql(['x'.repeat(152), `€${'y'.repeat(151)}`, 'yy'])
    expect(parts.map((part) => part.udh.slice(0, 6))).to.eql(Array(3).fill('050003'))
    expect(parts.map((part) => part.udh.slice(8))).to.eql(['0301', '0302', '0303'])
    expect(new Set(parts.map((part) => part.udh.slice(6, 8)))).to.have.length(1)
    expect(parts.map((part) => part.esm_class)).to.eql([0x40, 0x40, 0x40])
    expect((await sent(udh, wide)).map((part) => part.text)).to.eql(['ž'.repeat(66), `😀${'ř'.repeat(10)}`])

    const udh16 = await world.bound({ long_messages: 'udh16' })
    const parts16 = await sent(udh16, long)
    expect(parts16.map((part) => part.udh.slice(0, 6))).to.eql(Array(3).fill('060804'))
    expect(parts16.map((part) => part.text).join('')).to.equal(long)

    const sar = await world.bound({ long_messages: 'sar' })
    const sarParts = await sent(sar, long)
    expect(sarParts.map((part) => [part.udh, part.sar.slice(4)])).to.eql([
      ['', '0301'],
      ['', '0302'],
      ['', '0303'],
    ])

    const payload = await world.bound({ long_messages: 'payload' })
    const [whole, ...others] = await sent(payload, long.repeat(3))
    expect(whole).to.include({ payload: true, text: long.repeat(3), udh: '' })
    expect(others).to.eql([])
    expect((await sent(payload, 'short'))[0]).to.include({ payload: false, text: 'short' })
  })

  it('have the same reference whenever they are tried', async () => {
    const link = await world.bound()
    const message = text('z'.repeat(200))
    const headers = async (one = message) => (await sent(link, one.body, one)).map(({ udh }) => udh)
    const first = await headers()
    expect(await headers()).to.eql(first)
    const others = [...(await headers(text(message.body))), ...(await headers(text(message.body)))]
    expect([...first, ...others, ...(await headers(text(message.body)))]).not.to.eql([
      ...first,
      ...first,
      ...first,
      ...first,
    ])
  })

  it('that carry files are refused before anything is sent', async () => {
    const link = await world.bound()
    const [segment] = link.segmentsOf({
      ...text('a picture'),
      media: [{ url: 'https://example.com/a.png', content_type: 'image/png', bytes: 100 }],
    })
    const before = world.smsc.submits.length
    const error = await link.submit(segment!).catch((refusal: unknown) => refusal)
    expect(error).to.be.instanceOf(SubmitError)
    expect(error).to.include({ kind: 'carrier', code: 'media_unsupported' })
    expect(world.smsc.submits).to.have.length(before)
  })

  const refusals = [
    [0x58, 'throttled', '0x00000058', 'ESME_RTHROTTLED'],
    [0x14, 'destination', '0x00000014', 'ESME_RMSGQFUL'],
    [0x08, 'temporary', '0x00000008', 'ESME_RSYSERR'],
    [0x0a, 'carrier', '0x0000000A', 'ESME_RINVSRCADR'],
    [0x0b, 'permanent', '0x0000000B', 'ESME_RINVDSTADR'],
    [0x450, 'carrier', '0x00000450', 'error of the SMSC'],
  ] as const
  for (const [status, kind, code, name] of refusals) {
    it(`that are answered with ${code} are refused: ${kind}`, async () => {
      const link = await world.bound()
      await world.smsc.behave({ rules: [{ status, count: 1 }] })
      const error = await link.submit(link.segmentsOf(text('no'))[0]!).catch((refusal: unknown) => refusal)
      expect(error).to.include({ kind, code })
      expect((error as Error).message).to.include(name)
      expect(await submitAll(link, text('yes'))).to.have.length(1)
    })
  }

  it('that are too fast are throttled, and taken later', async () => {
    const link = await world.bound()
    await world.smsc.behave({ per_second: 20 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, async () => submitAll(link, text('in a hurry'))),
    )
    await world.smsc.behave({ per_second: 0 })
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as SubmitError] : []))
    expect(refused.length).to.be.within(1, 59)
    for (const { kind } of refused) expect(kind).to.equal('throttled')
    expect(await submitAll(link, text('in no hurry'))).to.have.length(1)
  })
})
